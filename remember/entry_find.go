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
	"whence/internal/text"
	"whence/validate"
	"whence/when"
)

// find returns the lines of the entries with a trigger, which is given with or without operator, but
// verbatim, since the entry will be changed. Several lines may have the same trigger. If none has it,
// missed holds suggestions.
func (s *entryEditor) find(trigger string) (lines []int, missed *when.NotFound, err error) {
	q, err := when.ParseQuery(trigger)
	if err != nil {
		return nil, nil, cli.Usagef("%v", err)
	}
	wanted := index.NormalizeTrigger(q.Trigger)
	for _, i := range s.Triggered(wanted) {
		if q.Operator == "" || q.Operator == s.Index().Lines[i].Entry.Operator {
			lines = append(lines, i)
		}
	}
	if lines != nil {
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
		missed.What += fmt.Sprintf("; nothing is close: see %s", s.config.Index)
	}
	return nil, missed, nil
}

// findOne is find for a command on exactly one entry.
func (s *entryEditor) findOne(trigger string) (line int, missed *when.NotFound, err error) {
	lines, missed, err := s.find(trigger)
	if err != nil || missed != nil {
		return -1, missed, err
	}
	if len(lines) > 1 {
		return -1, s.several(trigger, lines), nil
	}
	return lines[0], nil, nil
}

func (s *entryEditor) several(trigger string, lines []int) *when.NotFound {
	missed := &when.NotFound{What: fmt.Sprintf("%d entries have the trigger %q: name one with its operator, or edit %s by hand", len(lines), trigger, s.config.Index)}
	for _, i := range lines {
		missed.Suggestions = append(missed.Suggestions, when.Suggestion{Command: s.text(i), Why: fmt.Sprintf("%s:%d", s.config.Index, s.Index().Lines[i].Number)})
	}
	return missed
}

// text returns a line of the index without the spaces around it.
func (s *entryEditor) text(line int) string {
	return strings.TrimSpace(s.Index().Text(s.Index().Lines[line]))
}

// at returns the file and number of a line of the index.
func (s *entryEditor) at(line int) string {
	return fmt.Sprintf("%s:%d", s.config.Index, s.Index().Lines[line].Number)
}

// place returns the file and line of a heading.
func (s *entryEditor) place(p validate.Place) string {
	file, h := s.Heading(p)
	return fmt.Sprintf("%s:%d", file.Path, h.Line)
}

// heading returns the semantic heading with a title in a decision file, which may be "" if the title
// is unique. If there is none, missed holds suggestions.
func (s *entryEditor) heading(title, file string) (p validate.Place, missed *when.NotFound, err error) {
	found := s.Named(title)
	if file != "" {
		fi, err := s.file(file)
		if err != nil {
			return p, nil, err
		}
		found = slices.DeleteFunc(found, func(p validate.Place) bool { return p.File != fi })
	}
	switch {
	case len(found) == 0:
		return p, s.noHeading(title, file), nil
	case found[0].File != found[len(found)-1].File:
		var names []string
		for _, p := range found {
			file, _ := s.Heading(p)
			names = append(names, "--file "+text.ShellQuote(file.Path))
		}
		return p, nil, cli.Usagef("%q is a heading of several files: add %s", title, strings.Join(slices.Compact(names), " or "))
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
	switch {
	case len(found) == 0:
		return 0, cli.Usagef("--file: %q is not a decision file; use one of %s", name, strings.Join(all, ", "))
	case len(found) > 1:
		return 0, cli.Usagef("--file: %q is the name of several decision files: %s", name, strings.Join(found, ", "))
	}
	return at, nil
}

// maxTitles bounds the suggestions for a heading that does not exist.
const maxTitles = 5

// noHeading reports that a title belongs to no semantic heading, with similar ones.
func (s *entryEditor) noHeading(title, file string) *when.NotFound {
	missed := &when.NotFound{What: fmt.Sprintf("no heading %q in the decision files: write the decision first, or name another heading", title)}
	if file != "" {
		missed.What = fmt.Sprintf("no heading %q in %s: write the decision first, or name another heading", title, file)
	}
	if structural := s.Structural(title); len(structural) > 0 {
		missed.What = fmt.Sprintf("%q (%s) only groups other headings: name one below it, or remove the dot from its title", title, s.place(structural[0]))
	}
	type near struct {
		place   validate.Place
		overlap float64
	}
	var all []near
	wanted, key := rank.Words(title), decision.Key(title)
	for fi, f := range s.Decisions() {
		for hi, h := range f.Headings {
			overlap := rank.Overlap(wanted, rank.Words(h.Title))
			if h.Key == key {
				overlap = 1
			}
			if h.Semantic() && overlap > 0 {
				all = append(all, near{validate.Place{File: fi, Heading: hi}, overlap})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(b.overlap, a.overlap) })
	for _, n := range all[:min(len(all), maxTitles)] {
		_, h := s.Heading(n.place)
		missed.Suggestions = append(missed.Suggestions, when.Suggestion{Command: h.Title, Why: s.place(n.place)})
	}
	return missed
}

func (s *entryEditor) onLine(line int, rule, format string, args ...any) finding.Finding {
	return finding.Finding{Path: s.config.Index, Line: s.Index().Lines[line].Number, Column: 1, Rule: rule, Message: fmt.Sprintf(format, args...)}
}
