package remember

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/rank"
	"whence/internal/shell"
	"whence/validate"
	"whence/when"
)

// find returns the lines of the entries with a trigger, which is given with or without operator, but
// verbatim, since the entry will be changed. Several lines may have the same trigger. If none has it,
// missed holds suggestions.
func (s *entryEditor) find(trigger string) (lines []int, missed *when.NotFound, err error) {
	if lines := s.equal(trigger); lines != nil {
		return lines, nil, nil
	}
	q, err := when.ParseQuery(trigger)
	if err != nil {
		return nil, nil, cli.Usagef("%v", err)
	}
	if lines := s.asked(q); lines != nil {
		return lines, nil, nil
	}
	if err := s.Conflict(); err != nil { // a conflicted index has no entries
		return nil, nil, err
	}
	library, err := when.Open(s.corpus.Tree, s.config)
	if err != nil {
		return nil, nil, err
	}
	missed = &when.NotFound{What: fmt.Sprintf("no trigger %q", strings.TrimSpace(trigger)), Suggestions: library.Suggest(q.Trigger)}
	if len(missed.Suggestions) == 0 {
		missed.What += fmt.Sprintf("; nothing is close: all triggers are in %s", s.config.Typed.Path(s.config.Index))
	}
	return nil, missed, nil
}

// asked lists the entries that have the trigger of a query, and its operator if it has one.
func (s *entryEditor) asked(q when.Query) (lines []int) {
	for _, i := range s.Triggered(index.NormalizeTrigger(q.Trigger)) {
		if q.Operator == "" || q.Operator == s.Index().Lines[i].Entry.Operator {
			lines = append(lines, i)
		}
	}
	return lines
}

// equal lists the entries whose whole line a text is: another one may have the same trigger.
func (s *entryEditor) equal(text string) (lines []int) {
	for i, line := range s.Index().Lines {
		if line.Kind == index.EntryLine && s.text(i) == strings.TrimSpace(text) {
			lines = append(lines, i)
		}
	}
	return lines
}

// findOne is find for a command on exactly one entry, with flags.
func (s *entryEditor) findOne(trigger, command string, flags ...string) (line int, missed *when.NotFound, err error) {
	lines, missed, err := s.find(trigger)
	if err != nil || missed != nil {
		return -1, missed, err
	}
	if len(lines) > 1 {
		return -1, s.several(trigger, lines, command, flags...), nil
	}
	return lines[0], nil, nil
}

// several reports that entries have the same trigger, with a command for each of them.
func (s *entryEditor) several(trigger string, lines []int, command string, flags ...string) *when.NotFound {
	isRepeated := func(i int) bool { return s.text(i) == s.text(lines[0]) }
	if !slices.ContainsFunc(lines, func(i int) bool { return !isRepeated(i) }) {
		return &when.NotFound{What: fmt.Sprintf("the entry is there %d times: run \"%s\", which keeps one", len(lines), s.typed("memory-validate --fix"))}
	}
	missed := &when.NotFound{What: fmt.Sprintf("%d entries have the trigger %q: name one by its whole line", len(lines), trigger)}
	for _, i := range lines {
		words := append([]string{shell.Quote(s.text(i))}, flags...)
		missed.Suggestions = append(missed.Suggestions, when.Suggestion{Command: s.typed(command, words...), Why: s.at(i)})
	}
	return missed
}

// typed returns a command on this memory as the user types it.
func (s *entryEditor) typed(command string, words ...string) string {
	return s.config.Typed.Command(strings.Join(append([]string{command}, words...), " "))
}

// text returns a line of the index without the spaces around it.
func (s *entryEditor) text(line int) string {
	return strings.TrimSpace(s.Index().Text(s.Index().Lines[line]))
}

// at returns the file and number of a line of the index.
func (s *entryEditor) at(line int) string {
	return fmt.Sprintf("%s:%d", s.config.Typed.Path(s.config.Index), s.Index().Lines[line].Number)
}

// place returns the file and line of a heading.
func (s *entryEditor) place(p validate.Place) string {
	file, h := s.Heading(p)
	return fmt.Sprintf("%s:%d", s.config.Typed.Path(file.Path), h.Line)
}

// againFunc returns the command that the user has typed, about another heading.
type againFunc func(title, file string) string

// heading returns the semantic heading with a title in a decision file, which may be "" if the title
// is unique. If there is none, missed holds suggestions: again returns the command for another heading.
func (s *entryEditor) heading(title, file string, again againFunc) (p validate.Place, missed *when.NotFound, err error) {
	found := s.Named(title)
	if file != "" {
		fi, err := s.file(file)
		if err != nil {
			return p, nil, err
		}
		found = slices.DeleteFunc(found, func(p validate.Place) bool { return p.File != fi })
	}
	if len(found) == 0 {
		return p, s.noHeading(title, file, again), nil
	}
	if found[0].File != found[len(found)-1].File {
		missed = &when.NotFound{What: fmt.Sprintf("%q is a heading of several files: name one with --file", title)}
		for _, p := range found {
			file, h := s.Heading(p)
			missed.Suggestions = append(missed.Suggestions, when.Suggestion{Command: again(h.Title, file.Path), Why: s.place(p)})
		}
		return p, missed, nil
	}
	return found[0], nil, nil
}

// file returns the index of a decision file by its path or base name.
func (s *entryEditor) file(name string) (int, error) {
	var found, all []string
	at := -1
	for i, f := range s.Decisions() {
		all = append(all, f.Path)
		if f.Path == path.Clean(name) || strings.EqualFold(path.Base(f.Path), name) {
			at, found = i, append(found, f.Path)
		}
	}
	if len(found) == 0 {
		return 0, cli.Usagef("--file: %q is not a decision file; use one of %s", name, strings.Join(all, ", "))
	}
	if len(found) > 1 {
		return 0, cli.Usagef("--file: %q is the name of several decision files: %s", name, strings.Join(found, ", "))
	}
	return at, nil
}

// maxTitles bounds the suggestions for a heading that does not exist.
const maxTitles = 5

// noHeading reports that a title belongs to no semantic heading, with similar ones.
func (s *entryEditor) noHeading(title, file string, again againFunc) *when.NotFound {
	missed := &when.NotFound{What: fmt.Sprintf("no heading %q in the decision files: write the decision first, or name another heading", title)}
	if file != "" {
		missed.What = fmt.Sprintf("no heading %q in %s: write the decision first, or name another heading", title, file)
	}
	if structural := s.Structural(title); len(structural) > 0 {
		missed.What = fmt.Sprintf("%q (%s) only groups other headings: name one below it, or remove the dot from its title", title, s.place(structural[0]))
	}
	wanted := rank.Words(title)
	overlap := func(p validate.Place) float64 {
		_, h := s.Heading(p)
		if h.Key == decision.Key(title) {
			return 1
		}
		return rank.Overlap(wanted, rank.Words(h.Title))
	}
	var near []validate.Place
	for fi, f := range s.Decisions() {
		for hi, h := range f.Headings {
			if p := (validate.Place{File: fi, Heading: hi}); h.Semantic() && overlap(p) > 0 {
				near = append(near, p)
			}
		}
	}
	slices.SortStableFunc(near, func(a, b validate.Place) int { return cmp.Compare(overlap(b), overlap(a)) })
	for _, p := range near[:min(len(near), maxTitles)] {
		in, h := s.Heading(p)
		name := "" // it is the only one with its title
		if len(s.Named(h.Title)) > 1 {
			name = in.Path
		}
		missed.Suggestions = append(missed.Suggestions, when.Suggestion{Command: again(h.Title, name), Why: s.place(p)})
	}
	return missed
}

func (s *entryEditor) onLine(line int, rule, format string, args ...any) finding.Finding {
	return finding.Finding{Path: s.config.Index, Line: s.Index().Lines[line].Number, Column: 1, Rule: rule, Message: fmt.Sprintf(format, args...)}
}
