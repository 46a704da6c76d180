package hooks

import (
	"context"
	"fmt"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/harness"
	"whence/internal/hook"
)

// explainCommand tells what would be put before an agent, and why.
func explainCommand(env cli.Env) *urfave.Command {
	return &urfave.Command{
		Name: "explain", Usage: "tell what a prompt, a command or an error would bring, and by which words; nothing counts as shown", ArgsUsage: "TEXT...",
		Action: func(ctx *urfave.Context) error {
			text := strings.Join(ctx.Args().Slice(), " ")
			if strings.TrimSpace(text) == "" {
				return cli.Usagef("name a text: what one would type, or the error to look up")
			}
			m, err := hook.Open(env, agent.Event{}, time.Now())
			if err != nil {
				return cli.SettingsError(err)
			}
			defer m.Close()
			items, err := hook.Find(context.Background(), m, harness.Spoken(text), hook.Limits{Items: explained}, finders...)
			if err != nil {
				return err
			}
			for _, i := range items {
				fmt.Fprintf(env.Stdout, "%5.2f  %s\n       %s\n       by %s\n", i.Evidence, finding.Printable(i.Title), finding.Printable(m.Origin(i)), finding.Printable(strings.Join(i.Words, ", ")))
			}
			if len(items) == 0 {
				fmt.Fprintln(env.Stdout, "nothing comes near")
				return cli.ErrFound
			}
			fmt.Fprintf(env.Stdout, "\n%g and more is shown at a prompt or a failure; after Read and Bash %g of a decision and %g of what was learned; %d and %d at most\n",
				hook.ForPrompt.Decision, hook.ForAction.Decision, hook.ForAction.Learning, hook.ForPrompt.Items, hook.ForAction.Items)
			return nil
		},
	}
}

// explained is how many decisions, and how many learnings, are told.
const explained = 5
