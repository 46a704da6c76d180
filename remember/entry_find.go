package remember

import (
	"fmt"
	"strings"

	"whence/internal/cli"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/shell"
	"whence/validate"
	"whence/when"
)

// find returns the entry that a trigger or a whole line names, or all of them if their lines are equal. The trigger may
// have an operator, but must be verbatim, because the entry will be changed. If there is no entry, or if several
// differ, the error is a [when.NotFound] with suggestions.
func (a *attempt) find(trigger string) ([]*memory.Entry, error) {
	if err := a.checkIndex(); err != nil {
		return nil, err
	}
	if found := a.equal(trigger); found != nil {
		return found, nil
	}
	q, err := when.ParseQuery(trigger)
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	found := a.asked(q)
	if len(found) == 0 {
		return nil, when.New(a.Memory, a.config.Typed).NoTrigger(q.Trigger)
	}
	if len(found) == len(a.equal(a.text(found[0]))) {
		return found, nil
	}
	several := &when.NotFound{What: fmt.Sprintf("%d entries have the trigger %q: name one by its whole line", len(found), trigger)}
	for _, e := range found {
		several.Suggestions = append(several.Suggestions, when.Suggestion{Command: a.text(e), Why: a.at(e)})
	}
	return nil, several
}

// asked lists the entries that have the trigger of a query, and its operator if it has one.
func (a *attempt) asked(q when.Query) (found []*memory.Entry) {
	for _, e := range a.Triggered(index.NormalizeTrigger(q.Trigger)) {
		if q.Operator == "" || q.Operator == e.Operator {
			found = append(found, e)
		}
	}
	return found
}

// equal lists the entries whose whole line equals a text.
func (a *attempt) equal(text string) (found []*memory.Entry) {
	for _, e := range a.Entries {
		if a.text(e) == strings.TrimSpace(text) {
			found = append(found, e)
		}
	}
	return found
}

// typed returns a command on this memory as the user types it.
func (r *entryRepository) typed(command string, words ...string) string {
	return r.config.Typed.Command(strings.Join(append([]string{command}, words...), " "))
}

// line returns the line of an entry.
func (a *attempt) line(e *memory.Entry) index.Line { return a.Index.Lines[e.Line] }

// text returns the line of an entry without the spaces around it.
func (a *attempt) text(e *memory.Entry) string { return strings.TrimSpace(a.Index.Text(a.line(e))) }

// at returns the file and line of an entry.
func (a *attempt) at(e *memory.Entry) string {
	return fmt.Sprintf("%s:%d", a.config.Typed.Path(a.config.Index), a.line(e).Number)
}

// place returns the file and line of a heading.
func (r *entryRepository) place(h *memory.Heading) string {
	return fmt.Sprintf("%s:%d", r.config.Typed.Path(h.File.Path), h.Line)
}

// heading returns the semantic heading with a title. If there is none, the error is a [when.NotFound] with
// similar ones.
func (a *attempt) heading(title string) (*memory.Heading, error) {
	found := a.Semantic(title)
	if len(found) > 0 && found[0].File != found[len(found)-1].File {
		return nil, fmt.Errorf("%q is a heading at %s and at %s: rename one of them", title, a.place(found[0]), a.place(found[len(found)-1]))
	}
	if len(found) > 0 {
		return found[0], nil
	}
	missed := &when.NotFound{What: fmt.Sprintf("no heading %q in the decision files: write the decision first, or name another heading", title)}
	if structural := a.Structural(title); len(structural) > 0 {
		missed.What = fmt.Sprintf("%q (%s) only groups other headings: name one below it, or remove the dot from its title", title, a.place(structural[0]))
	}
	near := validate.Nearest(a.Memory, title, 0)
	for _, h := range near[:min(len(near), maxTitles)] {
		missed.Suggestions = append(missed.Suggestions, when.Suggestion{Command: "--header " + shell.Word(h.Title), Why: a.place(h)})
	}
	return nil, missed
}

// maxTitles bounds the suggestions for a heading that does not exist.
const maxTitles = 5
