package remember

import (
	"fmt"
	"io"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/text"
	"whence/validate"
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
			if write || o.dryRun || o.diff {
				return o.edit(env, cmd, draft)
			}
			return o.printDrafts(env, cmd)
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
