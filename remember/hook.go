package remember

import (
	"context"
	"fmt"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/knowledge"
	"whence/internal/worktree"
)

// hookCommand answers events of an agent. It never stands in the agent's way: whatever
// goes wrong is said on standard error, and the exit status is 0.
func hookCommand(env cli.Env) *urfave.Command {
	return &urfave.Command{
		Name: "hook", Usage: "answer an event of a coding agent: SessionStart, as JSON on standard input", ArgsUsage: "EVENT",
		Action: func(ctx *urfave.Context) error {
			if name := ctx.Args().First(); ctx.Args().Len() != 1 || name != agent.SessionStart {
				return cli.Usagef("unknown event %q: there is %s", strings.Join(ctx.Args().Slice(), " "), agent.SessionStart)
			}
			event, err := agent.Read(env.Stdin, agent.Claude, agent.SessionStart)
			text := ""
			if err == nil {
				text, err = beginning(background(ctx), env, event)
			}
			if err != nil {
				fmt.Fprintf(env.Stderr, "memory-remember: %v\n", err)
			}
			return agent.Reply{Context: text}.Write(env.Stdout, agent.Event{Name: agent.SessionStart})
		},
	}
}

// beginning is what an agent is told when a session begins.
func beginning(ctx context.Context, env cli.Env, event agent.Event) (string, error) {
	o := learningOptions{format: "text", dir: event.Cwd, session: event.Session}
	root := worktree.Find(o.place(env), config.ProjectFile, ".git", config.DefaultIndex)
	c, err := settingsOf(root, env)
	if err != nil {
		return "", err
	}
	b, err := o.base(env)
	if err != nil {
		return "", err
	}
	text, _, err := b.Begin(ctx, c, func() string { return knowledge.Topic(root, env.Dir, env.Getenv) })
	return text, err
}
