package hooks

import (
	"context"
	"fmt"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/agent/usertext"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/text"
)

// explainCommand prints what would be injected, and why.
func explainCommand(env cli.Env) *urfave.Command {
	return &urfave.Command{
		Name: "explain", Usage: "print what recall finds for a text, and why", ArgsUsage: "TEXT...",
		Description: "TEXT is a prompt, a command or an error message. Prints each item with its probability and the matching words. Nothing counts as injected.",
		Action: func(ctx *urfave.Context) error {
			query := strings.Join(ctx.Args().Slice(), " ")
			if strings.TrimSpace(query) == "" {
				return cli.Usagef("explain needs a text: a prompt, a command or an error message")
			}
			r, err := dispatch.Open(env, agent.Event{}, time.Now())
			if err != nil {
				return cli.SettingsError(err)
			}
			defer r.Close()
			items, err := dispatch.Recall(context.Background(), r, usertext.Spoken(query), dispatch.Limits{Items: maxExplained}, finders...)
			if err != nil {
				return err
			}
			for _, i := range items {
				fmt.Fprintf(env.Stdout, "%5.2f  %s\n       %s\n       by %s\n", i.P, text.Printable(i.Title), text.Printable(r.Origin(i)), text.Printable(strings.Join(i.Words, ", ")))
			}
			if len(items) == 0 {
				fmt.Fprintln(env.Stdout, "nothing in the memory comes near this text")
				return cli.ErrFound
			}
			fmt.Fprintf(env.Stdout, "\nA decision is injected at prompts and failures if its probability is at least %g; after Read and Bash, at least %g\n",
				dispatch.PromptLimits.Decision, dispatch.ActionLimits.Decision)
			return nil
		},
	}
}

// maxExplained bounds the decisions, and the learnings, that are printed.
const maxExplained = 5
