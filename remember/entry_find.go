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
	"whence/validate"
	"whence/when"
)

// find looks an entry up by its trigger, as it may be asked for: with its operator or
// without, but word for word, since it is going to be changed. Lines are indexes into the
// lines of the index; there are several if one trigger stands several times. Missed says
// what comes near if there is none.
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
	if err := s.Conflict(); err != nil { // whose entries are none until it is resolved
		return nil, nil, err
	}
	library, err := when.Open(s.tree.FS(), s.config)
	if err != nil {
		return nil, nil, err
	}
	missed = &when.NotFound{What: fmt.Sprintf("no trigger %q", strings.TrimSpace(trigger)), Suggestions: library.Suggest(q.Trigger)}
	if len(missed.Suggestions) == 0 {
		missed.What += fmt.Sprintf("; nothing is close: see %s", s.config.Index)
	}
	return nil, missed, nil
}

// findOne is find for what can only be done to one entry.
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

// several tells that a trigger does not say which entry is meant.
func (s *entryEditor) several(trigger string, lines []int) *when.NotFound {
	missed := &when.NotFound{What: fmt.Sprintf("%d entries have the trigger %q: name one with its operator, or edit %s by hand", len(lines), trigger, s.config.Index)}
	for _, i := range lines {
		missed.Suggestions = append(missed.Suggestions, when.Suggestion{Command: s.text(i), Why: fmt.Sprintf("%s:%d", s.config.Index, s.Index().Lines[i].Number)})
	}
	return missed
}

// text is a line of the index, blanks around it cut off.
func (s *entryEditor) text(line int) string {
	return strings.TrimSpace(s.Index().Text(s.Index().Lines[line]))
}

// at names a line of the index.
func (s *entryEditor) at(line int) string {
	return fmt.Sprintf("%s:%d", s.config.Index, s.Index().Lines[line].Number)
}

// place names a heading.
func (s *entryEditor) place(p validate.Place) string {
	file, h := s.Heading(p)
	return fmt.Sprintf("%s:%d", file.Path, h.Line)
}

// heading finds the semantic heading with a title, in a decision file, which may be ""
// where the title is unique. Missed says what comes near if there is none.
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
			names = append(names, "--file "+cli.Quote(file.Path))
		}
		return p, nil, cli.Usagef("%q is a heading of several files: add %s", title, strings.Join(slices.Compact(names), " or "))
	}
	return found[0], nil, nil
}

// file finds a decision file by its path or its base name.
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
		return 0, cli.Usagef("--file: %q is no decision file: those are %s", name, strings.Join(all, ", "))
	case len(found) > 1:
		return 0, cli.Usagef("--file: %q is the name of several decision files: %s", name, strings.Join(found, ", "))
	}
	return at, nil
}

// maxTitles is how many headings are named for one that does not exist.
const maxTitles = 5

// noHeading tells that a title names no semantic heading, and which ones come near.
func (s *entryEditor) noHeading(title, file string) *when.NotFound {
	missed := &when.NotFound{What: fmt.Sprintf("no heading %q in the decision files: write the decision first, or name another heading", title)}
	if file != "" {
		missed.What = fmt.Sprintf("no heading %q in %s: write the decision first, or name another heading", title, file)
	}
	if structural := s.Structural(title); len(structural) > 0 {
		missed.What = fmt.Sprintf("%q (%s) only groups other headings: name one below it, or take the dot from its title", title, s.place(structural[0]))
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

// onLine makes a finding about a line of the index as it is.
func (s *entryEditor) onLine(line int, rule, format string, args ...any) finding.Finding {
	return finding.Finding{Path: s.config.Index, Line: s.Index().Lines[line].Number, Column: 1, Rule: rule, Message: fmt.Sprintf(format, args...)}
}
