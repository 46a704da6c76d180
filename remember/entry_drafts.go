package remember

import (
	"fmt"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/text"
	"whence/internal/wording"
	"whence/validate"
	"whence/when"
)

func draftCommand(env cli.Env) *urfave.Command {
	o := options{creates: true}
	write := false
	return &urfave.Command{
		Name: "draft", Usage: "draft an entry for each heading without one", ArgsUsage: "[--write]",
		Flags: o.writeFlags(
			&urfave.BoolFlag{Name: "write", Usage: "add the drafts to the index", Destination: &write},
		),
		Action: func(cmd *urfave.Context) error {
			if cmd.Args().Present() {
				return cli.Usagef("unexpected argument %q: this drafts all headings without an entry; use entry add for one", cmd.Args().First())
			}
			o.dryRun = o.dryRun || !write
			return o.edit(env, cmd, draft)
		},
	}
}

// draft computes the corpus with an entry for each heading. A heading that seems to be a renamed one
// is left to a person: a second entry would hide the first.
func draft(s *entryEditor) (editResult, error) {
	return insertDrafts(s, s.Missing())
}

// insertDrafts computes the corpus with the drafts of some headings. The findings about a draft are
// left to its reviewer; usually the section has too few words for a description.
func insertDrafts(s *entryEditor, missing []validate.Missing) (editResult, error) {
	var result editResult
	var entries []validate.Entry
	for _, m := range missing {
		file, h := s.Heading(m.Place)
		if m.Older >= 0 {
			result.left = append(result.left, finding.Finding{Path: file.Path, Line: h.Line, Column: 1, Rule: "missing-entry",
				Message: fmt.Sprintf("no entry for heading %q, but %s seems to be it, with an older title", h.Title, s.at(m.Older))})
			result.notes = append(result.notes, "to give that entry its new title: "+s.Renaming(m.Older, m.Place))
			continue
		}
		if m.Misspelt >= 0 {
			result.left = append(result.left, s.MisspeltEntry(m))
			continue
		}
		entries = append(entries, m.Entry)
		result.changes = append(result.changes, entryChange{Action: "added", Line: m.Line, File: file.Path, Header: h.Title})
	}
	if len(entries) == 0 {
		return result, nil
	}
	var err error
	if result.after, err = s.Insert(entries...); err != nil {
		return editResult{}, err
	}
	result.left = append(result.left, s.Worse(result.after)...)
	result.drafts = validate.CountWording(result.after, s.config).Drafts - s.Unworded().NumDrafts
	return result, nil
}

// draftsCommand prints what an agent is to word: entries that are still drafts, and behind them those
// that only lack situations.
func draftsCommand(env cli.Env) *urfave.Command {
	var o options
	maxEntries := wording.DefaultEntries
	return &urfave.Command{
		Name: "drafts", Usage: "print the entries to word: drafts first, then those without situations", ArgsUsage: "[--format json] [--max N]",
		Flags: append([]urfave.Flag{
			&urfave.IntFlag{Name: "max", Usage: "print at most `N` entries", Value: maxEntries, Destination: &maxEntries},
		}, o.readFlags()...),
		Action: func(cmd *urfave.Context) error {
			if cmd.Args().Present() {
				return cli.Usagef("unexpected argument %q: this prints the entries that are still to word", cmd.Args().First())
			}
			if maxEntries < 1 {
				return cli.Usagef("--max %d: use 1 or more", maxEntries)
			}
			return o.printUnworded(env, cmd, maxEntries)
		},
	}
}

func (o *options) printUnworded(env cli.Env, cmd *urfave.Context, maxEntries int) error {
	s, err := o.open(env, cmd)
	if err != nil {
		return err
	}
	defer s.tree.Close()
	if _, err := s.load(); err != nil {
		return cli.SettingsError(err)
	}
	if err := s.Conflict(); err != nil { // a conflicted index has no entries
		return err
	}
	u := s.Unworded()
	request, err := s.requestWording(u, maxEntries)
	if err != nil {
		return err
	}
	if o.format == "json" {
		err = text.WriteJSON(env.Stdout, request)
	} else {
		err = printEntries(env, request.Entries)
	}
	if err != nil || o.quiet {
		return err
	}
	printLeft(env, u, request.Printed)
	if n := len(u.Skipped); n > 0 && o.format == "text" {
		fmt.Fprintf(env.Stderr, "memory-remember: %s, superseded or rejected: %s\n", cli.Count(n, "record is skipped", "records are skipped"), text.Printable(strings.Join(u.Skipped, ", ")))
	}
	return nil
}

func printEntries(env cli.Env, entries []wording.Entry) error {
	for _, e := range entries {
		missing := "no situations"
		if e.IsDraft {
			missing = "draft"
		}
		if _, err := fmt.Fprintln(env.Stdout, text.Printable(fmt.Sprintf("%s (%s)  # %s, %s", e.Entry, e.Title, e.File, missing))); err != nil {
			return err
		}
	}
	return nil
}

// printLeft says how many entries are left to word, and how many of them were printed.
func printLeft(env cli.Env, u validate.Unworded, printed int) {
	left := len(u.Lines)
	line := cli.Count(left, "entry", "entries") + " to word"
	if left > 0 {
		line += fmt.Sprintf(", %d of them drafts", u.NumDrafts)
	}
	if printed < left {
		line += fmt.Sprintf("; printed: %d (--max N)", printed)
	}
	fmt.Fprintf(env.Stderr, "memory-remember: %s\n", line)
}

// requestWording describes the first entries with what is needed to word them.
func (s *entryEditor) requestWording(u validate.Unworded, maxEntries int) (wording.Request, error) {
	r := wording.Request{Left: len(u.Lines), Skipped: u.Skipped, Rules: wording.Rules(s.config), Entries: []wording.Entry{}}
	library := when.Of(s.corpus)
	for n, line := range u.Lines[:min(len(u.Lines), maxEntries)] {
		at, _ := s.Target(line)
		file, _ := s.Heading(at)
		p := s.proposal(line, at)
		e := wording.NewEntry(p, file, at.Heading, s.config)
		e.IsDraft = n < u.NumDrafts
		e.Neighbours = wording.Neighbours(library, p.Lead, p.Title+"\n"+p.Description+"\n"+e.Text)
		r.Entries = append(r.Entries, e)
	}
	r.Printed = len(r.Entries)
	return r, nil
}

// proposal returns the entry of a line, which leads to a heading, as it is.
func (s *entryEditor) proposal(line int, at validate.Place) wording.Proposal {
	file, h := s.Heading(at)
	e := s.Index().Lines[line].Entry
	return wording.Proposal{
		Lead:   when.Lead{Operator: e.Operator, Trigger: e.Key().Trigger, Title: h.Title, File: file.Path},
		Header: e.Title.Text, Description: e.Description.Text,
	}
}
