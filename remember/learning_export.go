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
	as := "jsonl"
	return &urfave.Command{
		Name: "export", Usage: "print learnings, to import them elsewhere",
		Description: "Prints the learnings of this repository and the global ones.",
		Flags: o.flags(
			&urfave.StringFlag{Name: "as", Usage: "print as `FORM`: jsonl (JSON lines) or markdown (a knowledge bank)", Value: as, Destination: &as},
			&urfave.BoolFlag{Name: "everywhere", Usage: "print the learnings of all repositories", Destination: &everywhere},
		),
		Action: o.action(env, func(ctx context.Context, svc *Service) error {
			if as != "jsonl" && as != "markdown" {
				return cli.Usagef("--as %q: use jsonl or markdown", as)
			}
			var all []learning.Learning
			err := exceptNone(svc.Read(ctx, func(s *store.Store) (err error) {
				all, err = s.List(ctx, store.Filter{Scope: store.Scope{Project: svc.Project, Everywhere: everywhere}})
				return err
			}))
			if err != nil {
				return err
			}
			if as == "jsonl" {
				slices.Reverse(all) // the oldest first, so that an import keeps their order
				return writeLearnings(env.Stdout, all)
			}
			return cli.PrintExact(env, string(learning.FormatBank(all)))
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
