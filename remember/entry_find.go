package remember

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"whence/internal/cli"
	"whence/internal/index"
	"whence/internal/rank"
	"whence/internal/shell"
	"whence/validate"
	"whence/when"
)

// find returns the line of the entry with a trigger, which is given with or without operator, but
// verbatim, since the entry will be changed; or all lines with the same text. If there is none, or if
// several differ, the error is a [when.NotFound] with suggestions.
func (s *entryEditor) find(trigger string) ([]int, error) {
	if err := s.checkIndex(); err != nil {
		return nil, err
	}
	if lines := s.equal(trigger); lines != nil {
		return lines, nil
	}
	q, err := when.ParseQuery(trigger)
	if err != nil {
		return nil, cli.Usagef("%v", err)
	}
	lines := s.asked(q)
	if len(lines) == 0 {
		missed := &when.NotFound{What: fmt.Sprintf("no trigger %q", strings.TrimSpace(trigger)), Suggestions: when.Of(s.corpus).Suggest(q.Trigger)}
		if len(missed.Suggestions) == 0 {
			missed.What += fmt.Sprintf("; nothing is close: all triggers are in %s", s.config.Typed.Path(s.config.Index))
		}
		return nil, missed
	}
	if len(lines) == len(s.equal(s.text(lines[0]))) {
		return lines, nil
	}
	several := &when.NotFound{What: fmt.Sprintf("%d entries have the trigger %q: name one by its whole line", len(lines), trigger)}
	for _, i := range lines {
		several.Suggestions = append(several.Suggestions, when.Suggestion{Command: s.again(s.text(i)), Why: s.at(i)})
	}
	return nil, several
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

// equal lists the entries whose whole line a text is.
func (s *entryEditor) equal(text string) (lines []int) {
	for i, line := range s.Index().Lines {
		if line.Kind == index.EntryLine && s.text(i) == strings.TrimSpace(text) {
			lines = append(lines, i)
		}
	}
	return lines
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

// heading returns the semantic heading with a title in a decision file, which may be "" if the title
// is unique. If there is none, the error is a [when.NotFound] with suggestions.
func (s *entryEditor) heading(title, file string) (p validate.Place, err error) {
	found := s.Named(title)
	if file != "" {
		fi, err := s.file(file)
		if err != nil {
			return p, err
		}
		found = slices.DeleteFunc(found, func(p validate.Place) bool { return p.File != fi })
	}
	if len(found) == 0 {
		return p, s.noHeading(title, file)
	}
	if found[0].File != found[len(found)-1].File {
		return p, s.suggest(fmt.Sprintf("%q is a heading of several files: name one with --file", title), found)
	}
	return found[0], nil
}

// file returns the index of a decision file by its path or base name.
func (s *entryEditor) file(name string) (int, error) {
	var found []int
	var all []string
	for i, f := range s.Decisions() {
		all = append(all, f.Path)
		if f.Path == path.Clean(name) || strings.EqualFold(path.Base(f.Path), name) {
			found = append(found, i)
		}
	}
	if len(found) != 1 {
		return 0, cli.Usagef("--file: %q is not the path or the only name of a decision file; use one of %s", name, strings.Join(all, ", "))
	}
	return found[0], nil
}

// maxTitles bounds the suggestions for a heading that does not exist.
const maxTitles = 5

// noHeading reports that a title belongs to no semantic heading, with similar ones.
func (s *entryEditor) noHeading(title, file string) error {
	where := "in the decision files"
	if file != "" {
		where = "in " + file
	}
	what := fmt.Sprintf("no heading %q %s: write the decision first, or name another heading", title, where)
	if structural := s.Structural(title); len(structural) > 0 {
		what = fmt.Sprintf("%q (%s) only groups other headings: name one below it, or remove the dot from its title", title, s.place(structural[0]))
	}
	wanted := rank.Words(title)
	overlap := func(p validate.Place) float64 {
		_, h := s.Heading(p)
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
	return s.suggest(what, near[:min(len(near), maxTitles)])
}

// suggest returns an error with the command that the user has typed for each of some headings instead.
func (s *entryEditor) suggest(what string, headings []validate.Place) error {
	missed := &when.NotFound{What: what}
	for _, p := range headings {
		file, h := s.Heading(p)
		_ = s.cmd.Set("header", h.Title)
		_ = s.cmd.Set("file", file.Path)
		missed.Suggestions = append(missed.Suggestions, when.Suggestion{Command: s.again(s.cmd.Args().First()), Why: s.place(p)})
	}
	return missed
}
