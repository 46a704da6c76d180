package hooks

import (
	"errors"
	"fmt"
	"strings"

	urfave "github.com/urfave/cli/v3"

	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/index"
	"whence/internal/report"
	"whence/validate"
)

// Rules for paths that lead nowhere, for decisions without situations, and for files that are not memory.
const (
	notMemory         = "not-memory"
	stalePath         = "stale-path"
	missingSituations = "missing-situations"
)

// memory reads the memory of the project for the report: its entries, the paths in its decisions
// that lead nowhere, and how many decisions have no situations. A project may have no memory.
func (o *reportOptions) memory(env cli.Env, cmd *urfave.Command, q *report.Options) error {
	tree, c, err := o.repository.Open(env, cmd)
	if err != nil {
		return err
	}
	defer tree.Close()
	c.Enable = append(c.Enable, stalePath, missingSituations)
	memory, err := cli.Memory(env, tree, c)
	if err != nil {
		return err
	}
	m, err := validate.Load(memory, c)
	if errors.Is(err, validate.ErrNoMemory) {
		return nil
	}
	if err != nil {
		return cli.SettingsError(err)
	}
	q.Memory, q.Project = true, dispatch.SessionLabel(tree.Dir)
	for _, line := range m.Index.Lines {
		if line.Kind == index.EntryLine && line.Section >= 0 {
			q.Entries = append(q.Entries, report.Entry{
				File: m.Index.Sections[line.Section].Path, Title: line.Entry.Title.Text,
				Query: "/" + line.Entry.Operator + " " + line.Entry.Trigger.Text,
			})
		}
	}
	for _, f := range validate.Check(m, c) {
		switch f.Rule {
		case missingSituations:
			q.Bare++
		case stalePath:
			what, _, _ := strings.Cut(f.Message, ": ") // without the remedy, which memory-validate prints
			q.Stale = append(q.Stale, fmt.Sprintf("%s:%d: %s", f.Path, f.Line, what))
		}
	}
	return nil
}
