package remember

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/corpus"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/text"
	"whence/internal/wording"
	"whence/validate"
	"whence/when"
)

func setDraftsCommand(env cli.Env) *urfave.Command {
	o := options{creates: true, format: "json"}
	stdin, reword := false, false
	return &urfave.Command{
		Name: "set", Usage: "add entries as an agent words them, with their situations", ArgsUsage: "--stdin",
		Flags: append([]urfave.Flag{
			&urfave.BoolFlag{Name: "stdin", Usage: `read lines {"header": "...", "trigger": "...", ...} from standard input`, Destination: &stdin},
			&urfave.BoolFlag{Name: "reword", Usage: "also replace entries that are still as drafted", Destination: &reword},
			cli.QuietFlag(&o.quiet),
		}, o.repository.Flags()...),
		Action: func(cmd *urfave.Context) error {
			switch {
			case cmd.Args().Present():
				return cli.Usagef("unexpected argument %q: the answers are read from standard input", cmd.Args().First())
			case !stdin:
				return cli.Usagef("entry draft set reads the answers from standard input: add --stdin")
			}
			return o.setDrafts(env, cmd, reword)
		},
	}
}

// setDrafts adds the entries of answers. Those that are refused are printed.
func (o *options) setDrafts(env cli.Env, cmd *urfave.Context, reword bool) error {
	lines, err := wording.ReadLines(env.Stdin)
	if err != nil {
		return cli.Usagef("%v", err)
	}
	s, err := o.open(env, cmd)
	if err != nil {
		return err
	}
	defer s.tree.Close()
	var report wording.Report
	var left int
	result, err := s.update(true, func(s *entryEditor) (result editResult, err error) {
		report, result.after, left, err = s.wordDrafts(lines, reword)
		return result, err
	})
	if err != nil {
		return cli.SettingsError(err)
	}
	if !o.quiet {
		for _, note := range result.notes {
			fmt.Fprintf(env.Stderr, "memory-remember: %s\n", text.Printable(note))
		}
		printLeft(env, report.Left-left, left, reword)
	}
	if err := text.WriteJSON(env.Stdout, report); err != nil {
		return err
	}
	if len(report.Refused) > 0 {
		return cli.ErrFound
	}
	return nil
}

// wordedDraft is the entry of a heading as an answer words it.
type wordedDraft struct {
	input    int
	answer   wording.Answer
	place    validate.Place
	known    bool   // the index has this entry already
	line     int    // of the entry that is reworded, or -1
	title    string // of the entry
	proposal wording.Proposal
}

// wordDrafts returns the memory with the entries of answers, or nil if there is nothing to add. Each
// answer is checked by itself; what is refused changes nothing. Left is the number of entries of the
// index among those that are left to word.
func (s *entryEditor) wordDrafts(lines []wording.Line, reword bool) (report wording.Report, after *corpus.Corpus, left int, err error) {
	report = wording.Report{Refused: []wording.Refusal{}}
	w := s.newDraftWording(reword)
	var all []wordedDraft
	for _, line := range lines {
		a, err := line.Answer()
		if err != nil {
			report.Refuse(line.Number, a, err.Error())
			continue
		}
		d, reasons := w.word(line.Number, a)
		if len(reasons) > 0 {
			report.Refuse(line.Number, a, reasons...)
			continue
		}
		all = append(all, d)
	}
	keep := func(isRefused func(d wordedDraft) []string) {
		all = slices.DeleteFunc(all, func(d wordedDraft) bool {
			reasons := isRefused(d)
			if len(reasons) > 0 {
				report.Refuse(d.input, d.answer, reasons...)
			}
			return len(reasons) > 0
		})
	}
	var reasons []string
	after, reasons = s.with(all)
	if len(reasons) > 0 {
		keep(func(d wordedDraft) []string { _, reasons := s.with([]wordedDraft{d}); return reasons })
		after, reasons = s.with(all)
	}
	if after != nil && len(reasons) == 0 {
		finder, err := when.FinderOf(after)
		if err != nil {
			return report, nil, 0, err
		}
		before := len(all)
		keep(func(d wordedDraft) []string { return wording.Astray(finder, d.proposal) })
		if len(all) < before {
			after, reasons = s.with(all)
		}
	}
	if len(reasons) > 0 {
		return report, nil, 0, fmt.Errorf("the answers cannot be added together: %s", strings.Join(reasons, "; "))
	}
	report.Sort()
	drafts := len(w.drafts)
	left = len(w.entries)
	for _, d := range all {
		if _, drafted := w.drafts[d.place]; drafted {
			drafts--
		} else if d.line >= 0 {
			left--
		}
	}
	report.Set, report.Left = len(all), drafts+left
	return report, after, left, nil
}

// with returns the memory with entries and their situations, or why memory-validate would reject it.
// The memory is nil if all of it is there.
func (s *entryEditor) with(drafts []wordedDraft) (after *corpus.Corpus, reasons []string) {
	var entries []validate.Entry
	var reworded []finding.Edit
	var phrases []wording.Phrases
	for _, d := range drafts {
		p := d.proposal
		text := index.FormatEntry(p.Operator, p.Trigger, d.title, p.Description)
		if d.line >= 0 {
			l := s.Index().Lines[d.line]
			reworded = append(reworded, finding.Edit{Path: s.config.Index, Start: l.Start, End: l.End, New: text})
		} else if !d.known {
			entries = append(entries, validate.Entry{Place: d.place, Line: text})
		}
		phrases = append(phrases, wording.Phrases{Place: d.place, Texts: d.proposal.Situations})
	}
	editor := s.Editor
	if len(reworded) > 0 {
		var err error
		if after, err = editor.Apply(reworded...); err != nil {
			return nil, []string{err.Error()}
		}
		editor = validate.NewEditor(after, s.config)
	}
	if len(entries) > 0 {
		var err error
		if after, err = editor.Insert(entries...); err != nil {
			return nil, []string{err.Error()}
		}
		editor = validate.NewEditor(after, s.config)
	}
	switch more, _, err := wording.AddSituations(editor, phrases); {
	case err != nil:
		return nil, []string{err.Error()}
	case more != nil:
		after = more
	case after == nil:
		return nil, nil
	}
	for _, f := range s.Worse(after) {
		if f.Rule != "consumption-header" { // with the first entry the preamble begins to matter
			reasons = append(reasons, f.Message)
		}
	}
	return after, reasons
}

// draftWording words drafts by answers.
type draftWording struct {
	*entryEditor
	drafts  map[validate.Place]index.Entry
	entries map[validate.Place]int              // lines of the entries to reword
	older   map[validate.Place]validate.Missing // headings that a line seems to be the entry of
	checker *wording.Checker
	set     map[validate.Place]bool
}

func (s *entryEditor) newDraftWording(reword bool) *draftWording {
	w := &draftWording{
		s, map[validate.Place]index.Entry{}, map[validate.Place]int{}, map[validate.Place]validate.Missing{},
		wording.NewChecker(s.Editor, s.config), map[validate.Place]bool{},
	}
	if reword {
		for _, e := range s.unworded() {
			w.entries[e.Place] = e.line
		}
	}
	for _, m := range s.Missing() {
		if m.Older < 0 && m.Misspelt < 0 {
			w.drafts[m.Place] = draftedEntry(m)
		} else {
			w.older[m.Place] = m
		}
	}
	return w
}

// word words the draft of a heading, or returns why an answer is refused.
func (w *draftWording) word(input int, a wording.Answer) (d wordedDraft, reasons []string) {
	at, reason := w.find(a)
	if reason != "" {
		return d, []string{reason}
	}
	file, h := w.Heading(at)
	e := w.drafts[at]
	if lines := w.Leading(at); len(lines) > 0 {
		e = w.Index().Lines[lines[0]].Entry
	}
	operator, trigger, description := "when", e.Trigger.Text, e.Description.Text
	if e.Operator != "" {
		operator = e.Operator
	}
	if a.Operator != "" {
		operator = strings.TrimPrefix(a.Operator, "/")
	}
	if a.Trigger != "" {
		trigger = index.NormalizeTrigger(a.Trigger)
	}
	if a.Description != "" {
		description = strings.TrimSpace(a.Description)
	}
	d = wordedDraft{input: input, answer: a, place: at, line: -1, title: cmp.Or(e.Title.Text, h.Title)}
	was := when.Lead{}
	var taken []finding.Finding
	var remedies []string
	if line, rewords := w.entries[at]; rewords {
		d.line = line
		was = when.Lead{Operator: e.Operator, Trigger: e.Key().Trigger, Title: h.Title, File: file.Path}
	} else {
		var known int
		known, taken, remedies = w.conflict(at, &newEntry{entryFields: entryFields{file.Path, h.Title, trigger, description}, how: operator == "how"})
		d.known = known >= 0
	}
	if len(taken) > 0 {
		for _, f := range taken {
			reasons = append(reasons, f.Message)
		}
		return d, append(reasons, remedies...)
	}
	if m, unclear := w.older[at]; unclear && m.Older >= 0 {
		return d, []string{fmt.Sprintf("the entry %s seems to be that of the heading, with an older title: memory-remember entry rename %s --header %s",
			w.at(m.Older), cli.Quote(command(w.Index().Lines[m.Older].Entry)), cli.Quote(h.Title))}
	} else if unclear {
		return d, []string{w.MisspeltEntry(m).Message}
	}
	d.proposal = wording.Proposal{
		Lead:        when.Lead{Operator: operator, Trigger: trigger, Title: d.title, File: file.Path},
		Description: description, Situations: a.Situations,
	}
	p := &d.proposal
	if reasons = w.checker.Check(p, was); len(reasons) > 0 {
		return d, reasons
	}
	p.Title, p.Description = h.Title, strings.Join(strings.Fields(p.Description), " ")
	w.checker.Add(*p)
	w.set[at] = true
	return d, nil
}

// find returns the heading that an answer is about, or the reason why there is none.
func (w *draftWording) find(a wording.Answer) (at validate.Place, reason string) {
	if a.Title() == "" {
		return at, `it names no heading: add "header" as memory-remember entry draft --for-agent prints it`
	}
	found := w.Named(a.Title())
	var paths []string
	found = slices.DeleteFunc(found, func(p validate.Place) bool {
		file, _ := w.Heading(p)
		paths = append(paths, file.Path)
		return a.File != "" && a.File != file.Path
	})
	switch {
	case len(found) == 0 && len(paths) > 0:
		return at, fmt.Sprintf("no heading %q in %s: it is in %s", a.Title(), a.File, strings.Join(paths, ", "))
	case len(found) == 0:
		return at, w.noHeading(a.Title(), "").What
	case found[0].File != found[len(found)-1].File:
		return at, fmt.Sprintf("%q is a heading of %s: add \"file\"", a.Title(), strings.Join(paths, ", "))
	case w.set[found[0]]:
		return at, "the heading is in this batch already: keep one answer"
	}
	return found[0], ""
}
