package remember

import (
	"bytes"
	"fmt"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
)

func rmCommand(env cli.Env) *urfave.Command {
	var o options
	return &urfave.Command{
		Name: "rm", Usage: "remove an entry, and print it", ArgsUsage: "TRIGGER",
		Flags: o.writeFlags(),
		Action: func(cmd *urfave.Context) error {
			trigger, err := oneArgument(cmd)
			if err != nil {
				return err
			}
			return o.edit(env, cmd, func(s *entryEditor) (editResult, error) { return remove(s, trigger) })
		},
	}
}

// remove computes the corpus without an entry. It removes all identical lines.
func remove(s *entryEditor, trigger string) (editResult, error) {
	lines, missed, err := s.find(trigger)
	if err != nil || missed != nil {
		return editResult{missed: missed}, err
	}
	for _, i := range lines {
		if s.text(i) != s.text(lines[0]) {
			return editResult{missed: s.several(trigger, lines, "memory-remember entry rm")}, nil
		}
	}
	var result editResult
	for _, i := range lines {
		result.changes = append(result.changes, entryChange{Action: "removed", Line: s.text(i), Header: s.Index().Lines[i].Entry.Title.Text})
	}
	if at, known := s.Target(lines[0]); known && len(s.Leading(at)) <= len(lines) {
		_, h := s.Heading(at)
		result.notes = append(result.notes, fmt.Sprintf("now no entry belongs to %q (%s)", h.Title, s.place(at)))
	}
	if result.after, err = s.Remove(lines...); err != nil {
		return editResult{}, err
	}
	if span, query := result.after.Index.Preamble(), command(s.Index().Lines[lines[0]].Entry); bytes.Contains(result.after.Index.Source[span.Start:span.End], []byte("`"+query+"`")) {
		result.notes = append(result.notes, fmt.Sprintf("the preamble of %s still names %s: reword that by hand", s.config.Typed.Path(s.config.Index), query))
	}
	return result, nil
}
