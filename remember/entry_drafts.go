package remember

import (
	"fmt"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/text"
	"whence/internal/wording"
	"whence/validate"
	"whence/when"
)

// draftsCommand prints what an agent is to word: entries that are still drafts, and behind them those
// that only lack situations.
func draftsCommand(env cli.Env) *urfave.Command {
	var o options
	format, maxEntries := "text", wording.DefaultEntries
	return &urfave.Command{
		Name: "drafts", Usage: "print the entries to word: drafts first, then those without situations", ArgsUsage: "[--format json] [--max N]",
		Flags: o.flags(
			&urfave.StringFlag{Name: "format", Usage: "print as `FORMAT`: text or json", Value: format, Destination: &format},
			&urfave.IntFlag{Name: "max", Usage: "print at most `N` entries", Value: maxEntries, Destination: &maxEntries},
		),
		Action: func(cmd *urfave.Context) error {
			if cmd.Args().Present() {
				return cli.Usagef("unexpected argument %q: this prints the entries that are still to word", cmd.Args().First())
			}
			if maxEntries < 1 {
				return cli.Usagef("--max %d: use 1 or more", maxEntries)
			}
			if err := cli.Format(format, "text", "json"); err != nil {
				return err
			}
			return o.printUnworded(env, cmd, format, maxEntries)
		},
	}
}

func (o *options) printUnworded(env cli.Env, cmd *urfave.Context, format string, maxEntries int) error {
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
	if format == "json" {
		err = text.WriteJSON(env.Stdout, request)
	} else {
		err = printEntries(env, request.Entries)
	}
	if err != nil || o.quiet {
		return err
	}
	printLeft(env, u, request.Printed)
	if n := len(u.Skipped); n > 0 && format == "text" {
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
