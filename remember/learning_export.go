package remember

import (
	"context"
	"io"
	"slices"

	"whence/internal/text"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/learning"
	"whence/internal/store"
)

func exportCommand(env cli.Env, parts Parts) *urfave.Command {
	o := learningOptions{Parts: parts}
	everywhere := false
	return &urfave.Command{
		Name: "export", Usage: "print learnings as JSON lines, to import them elsewhere",
		Description: "Prints the learnings of this repository and the global ones.",
		Flags: o.flags(
			&urfave.BoolFlag{Name: "everywhere", Usage: "print the learnings of all repositories", Destination: &everywhere},
		),
		Action: o.action(env, func(ctx context.Context, svc *Service) error {
			var all []learning.Learning
			err := exceptNone(svc.Read(ctx, func(s *store.Store) (err error) {
				all, err = s.List(ctx, store.Filter{Scope: store.Scope{Project: svc.Project, Everywhere: everywhere}})
				return err
			}))
			if err != nil {
				return err
			}
			slices.Reverse(all) // the oldest first, so that an import keeps their order
			return writeLearnings(env.Stdout, all)
		}),
	}
}

func writeLearnings(w io.Writer, all []learning.Learning) error {
	for _, l := range all {
		if err := text.WriteJSONLine(w, l); err != nil {
			return err
		}
	}
	return nil
}
