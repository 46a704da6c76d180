package remember

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/shell"
	"whence/internal/words"
	"whence/when"
)

// find returns the entry with a trigger, which is given with or without operator, but verbatim, since the entry will
// be changed; or all entries whose lines are equal. If there is none, or if
// several differ, the error is a [when.NotFound] with suggestions.
func (s *entryEditor) find(trigger string) ([]*memory.Entry, error) {
	if err := s.checkIndex(); err != nil {
		return nil, err
	}
	if found := s.equal(trigger); found != nil {
		return found, nil
	}
	q, err := when.ParseQuery(trigger)
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	found := s.asked(q)
	if len(found) == 0 {
		missed := &when.NotFound{What: fmt.Sprintf("no trigger %q", strings.TrimSpace(trigger)), Suggestions: when.New(s.Memory, s.config.Typed).Suggest(q.Trigger)}
		if len(missed.Suggestions) == 0 {
			missed.What += fmt.Sprintf("; nothing is close: all triggers are in %s", s.config.Typed.Path(s.config.Index))
		}
		return nil, missed
	}
	if len(found) == len(s.equal(s.text(found[0]))) {
		return found, nil
	}
	several := &when.NotFound{What: fmt.Sprintf("%d entries have the trigger %q: name one by its whole line", len(found), trigger)}
	for _, e := range found {
		several.Suggestions = append(several.Suggestions, when.Suggestion{Command: s.again(s.text(e)), Why: s.at(e)})
	}
	return nil, several
}

// asked lists the entries that have the trigger of a query, and its operator if it has one.
func (s *entryEditor) asked(q when.Query) (found []*memory.Entry) {
	for _, e := range s.Triggered(index.NormalizeTrigger(q.Trigger)) {
		if q.Operator == "" || q.Operator == e.Operator {
			found = append(found, e)
		}
	}
	return found
}

// equal lists the entries whose whole line a text is.
func (s *entryEditor) equal(text string) (found []*memory.Entry) {
	for _, e := range s.Entries {
		if s.text(e) == strings.TrimSpace(text) {
			found = append(found, e)
		}
	}
	return found
}

// typed returns a command on this memory as the user types it.
func (s *entryEditor) typed(command string, words ...string) string {
	return s.config.Typed.Command(strings.Join(append([]string{command}, words...), " "))
}

// again returns the command that the user has typed, on another entry, if it takes one.
func (s *entryEditor) again(entry string) string {
	command := "memory-remember entry " + s.cmd.Command.Name
	if entry != "" {
		command += " " + shell.Quote(entry)
	}
	return s.typed(command + cli.SetFlags(s.cmd, s.own))
}

// line returns the line of an entry.
func (s *entryEditor) line(e *memory.Entry) index.Line { return s.Index.Lines[e.Line] }

// text returns the line of an entry without the spaces around it.
func (s *entryEditor) text(e *memory.Entry) string { return strings.TrimSpace(s.Index.Text(s.line(e))) }

// at returns the file and line of an entry.
func (s *entryEditor) at(e *memory.Entry) string {
	return fmt.Sprintf("%s:%d", s.config.Typed.Path(s.config.Index), s.line(e).Number)
}

// place returns the file and line of a heading.
func (s *entryEditor) place(h *memory.Heading) string {
	return fmt.Sprintf("%s:%d", s.config.Typed.Path(h.File.Path), h.Line)
}

// heading returns the semantic heading with a title. If there is none, the error is a [when.NotFound] with
// similar ones.
func (s *entryEditor) heading(title string) (*memory.Heading, error) {
	found := s.Named(title)
	if len(found) > 0 && found[0].File != found[len(found)-1].File {
		return nil, fmt.Errorf("%q is a heading at %s and at %s: rename one of them", title, s.place(found[0]), s.place(found[len(found)-1]))
	}
	if len(found) > 0 {
		return found[0], nil
	}
	missed := &when.NotFound{What: fmt.Sprintf("no heading %q in the decision files: write the decision first, or name another heading", title)}
	if structural := s.Structural(title); len(structural) > 0 {
		missed.What = fmt.Sprintf("%q (%s) only groups other headings: name one below it, or remove the dot from its title", title, s.place(structural[0]))
	}
	wanted := words.SetOf(title)
	overlap := func(h *memory.Heading) float64 { return words.Overlap(wanted, words.SetOf(h.Title)) }
	var near []*memory.Heading
	for _, h := range s.Headings {
		if h.Semantic() && overlap(h) > 0 {
			near = append(near, h)
		}
	}
	slices.SortStableFunc(near, func(a, b *memory.Heading) int { return cmp.Compare(overlap(b), overlap(a)) })
	for _, h := range near[:min(len(near), maxTitles)] {
		_ = s.cmd.Set("header", h.Title)
		missed.Suggestions = append(missed.Suggestions, when.Suggestion{Command: s.again(s.cmd.Args().First()), Why: s.place(h)})
	}
	return nil, missed
}

// maxTitles bounds the suggestions for a heading that does not exist.
const maxTitles = 5
