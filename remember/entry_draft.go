package remember

import (
	"fmt"
	"io"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/text"
	"whence/internal/wording"
	"whence/validate"
)

func draftCommand(env cli.Env) *urfave.Command {
	o := options{creates: true}
	write, forAgent, reword, maxEntries := false, false, false, wording.DefaultBatch
	return &urfave.Command{
		Name: "draft", Usage: "draft an entry for each heading without one", ArgsUsage: "[--write | --for-agent]",
		Flags: o.writeFlags(
			&urfave.BoolFlag{Name: "write", Usage: "add the drafts to the index", Destination: &write},
			&urfave.BoolFlag{Name: "for-agent", Usage: "print the next drafts to word, as JSON", Destination: &forAgent},
			&urfave.BoolFlag{Name: "reword", Usage: "with --for-agent, also entries that are still as drafted", Destination: &reword},
			&urfave.IntFlag{Name: "max", Usage: "with --for-agent, print at most `N` drafts; 0 prints as many as fit in 30,000 characters", Value: maxEntries, Destination: &maxEntries},
		),
		Action: func(cmd *urfave.Context) error {
			if cmd.Args().Present() {
				return cli.Usagef("unexpected argument %q: this drafts all headings without an entry; use entry add for one", cmd.Args().First())
			}
			switch changes := write || o.dryRun || o.diff; {
			case maxEntries < 0:
				return cli.Usagef("--max %d: use 0 or more", maxEntries)
			case forAgent && changes:
				return cli.Usagef("--for-agent writes nothing: leave --write, --dry-run and --diff out")
			case forAgent:
				return o.draftsForAgent(env, cmd, maxEntries, reword)
			case cmd.IsSet("max"):
				return cli.Usagef("--max needs --for-agent")
			case reword:
				return cli.Usagef("--reword needs --for-agent")
			case changes:
				return o.edit(env, cmd, draft)
			}
			return o.printDrafts(env, cmd)
		},
		Subcommands: []*urfave.Command{setDraftsCommand(env)},
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
			result.notes = append(result.notes, fmt.Sprintf("to give that entry its new title: memory-remember entry rename %s --header %s",
				cli.Quote(command(s.Index().Lines[m.Older].Entry)), cli.Quote(h.Title)))
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
	drafts := validate.SituationCount{All: len(entries)}
	for _, e := range entries {
		if len(s.phrases(e.Place)) == 0 {
			drafts.Without++
		}
	}
	if drafts.Without > 0 {
		result.notes = append(result.notes, drafts.String()+": once in the index, "+validate.SituationsRemedy)
	}
	return result, nil
}

func (o *options) printDrafts(env cli.Env, cmd *urfave.Context) error {
	s, err := o.open(env, cmd)
	if err != nil {
		return err
	}
	defer s.tree.Close()
	result, err := s.update(false, draft)
	if err != nil {
		return cli.SettingsError(err)
	}
	if o.format == "json" {
		return o.report(env, result)
	}
	var out strings.Builder
	section := ""
	for _, c := range result.changes {
		if c.File != section {
			section = c.File
			fmt.Fprintf(&out, "\n## %s\n\n", text.Printable(section))
		}
		fmt.Fprintln(&out, text.Printable(c.Line))
	}
	if _, err := io.WriteString(env.Stdout, strings.TrimPrefix(out.String(), "\n")); err != nil {
		return err
	}
	result.changes = nil
	return o.report(env, result)
}
