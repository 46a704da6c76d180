package hooks

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/text"
	"whence/when"
)

// explainCommand prints what would be injected, and why.
func explainCommand(env cli.Env) *urfave.Command {
	var as string
	return &urfave.Command{
		Name: "explain", Usage: "print what would be injected for a text, and why", ArgsUsage: "TEXT...",
		Description: "Prints the text as the agent would get it, and below it all items that are near, with their probability, the words that agree, and why an item is not injected. Nothing counts as injected.",
		Flags: []urfave.Flag{&urfave.StringFlag{
			Name: "as", Usage: "TEXT is a `KIND`: prompt, bash (a command), read (the path of a file) or failure (an error)", Value: "prompt", Destination: &as,
		}},
		Action: func(cmd *urfave.Context) error {
			query := strings.Join(cmd.Args().Slice(), " ")
			if strings.TrimSpace(query) == "" {
				return cli.Usagef("explain needs a text: a prompt, a command, a path or an error message")
			}
			if _, err := env.Home(); err != nil {
				return err
			}
			event := agent.Event{Agent: agent.Claude, Session: env.Getenv(agent.Claude.SessionVariable())}
			switch as {
			case "prompt":
				event.Name, event.Prompt = agent.UserPromptSubmit, query
			case "bash":
				event.Name, event.Tool, event.Command = agent.PostToolUse, "Bash", query
			case "read":
				event.Name, event.Tool, event.Path = agent.PostToolUse, "Read", query
			case "failure":
				event.Name, event.Error = agent.PostToolUseFailure, query
			default:
				return cli.Usagef("--as %q: use prompt, bash, read or failure", as)
			}
			return explain(env, event)
		},
	}
}

func explain(env cli.Env, event agent.Event) error {
	r, err := dispatch.Open(env, event, time.Now())
	if err != nil {
		return cli.SettingsError(err)
	}
	defer r.Close()
	if event.Tool == "Read" {
		content, err := fs.ReadFile(r.Tree.FS(), r.FromRoot(event.Path))
		if err != nil {
			return cli.Usagef("--as read: %v", err)
		}
		r.Content = string(content)
	}
	reply, items, err := dispatch.Explain(context.Background(), r, finders...)
	if err != nil {
		return err
	}
	if len(items) == 0 {
		fmt.Fprintln(env.Stdout, "nothing in the memory comes near this text")
		return cli.ErrFound
	}
	if reply == "" {
		reply = "(nothing is injected)\n"
	}
	fmt.Fprint(env.Stdout, text.PrintableLines(reply)+"\n---\n")
	for _, i := range items {
		explainItem(env.Stdout, r, i)
	}
	return nil
}

// explainItem prints how an item is injected or why not, where it is from, and which words agree.
func explainItem(w io.Writer, r *dispatch.Request, i dispatch.Explained) {
	verdict := "injected"
	if !i.Shown {
		verdict = "not injected: " + i.Reason
	}
	title := i.Title
	if title == "" {
		title = dispatch.Clip(dispatch.OneLine(i.Text), maxExplainedChars)
	}
	fmt.Fprintf(w, "\n%s\n  %s, %s\n  %s\n  words: %s\n",
		text.Printable(title), when.Probability(i.P), verdict, text.Printable(i.Source), text.Printable(strings.Join(i.Words, ", ")))
}

// maxExplainedChars bounds the text of an item without a title.
const maxExplainedChars = 100
