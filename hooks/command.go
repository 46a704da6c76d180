package hooks

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/text"
)

//go:embed doc.go
var docGo string

// Main runs memory-hooks and returns its exit status.
func Main(env cli.Env) int {
	if name, client, quick := dispatch.EventOf(env.Args[min(1, len(env.Args)):]); quick {
		_ = dispatch.Run(env, client, name, handlers()) // errors are in the log
		return cli.OK
	}
	var client string
	return cli.Main(env, &urfave.App{
		Name:  "memory-hooks",
		Flags: []urfave.Flag{&urfave.StringFlag{Name: "agent", Usage: "the event is from `AGENT`: " + names(agent.Clients), Value: string(agent.Claude), Destination: &client}},
		Commands: refuseArguments([]*urfave.Command{
			installCommand(env), uninstallCommand(env), allowCommand(env), statusCommand(env), doctorCommand(env), explainCommand(env),
			notesCommand(env), reportCommand(env),
		}),
		Action: func(ctx *urfave.Context) error {
			return unknown(ctx, client)
		},
	}, docGo)
}

// unknown returns the error for a command line that names neither a command nor an event, or an
// event of an unknown agent.
func unknown(ctx *urfave.Context, client string) error {
	word := ctx.Args().First()
	if _, err := agent.ParseClient(client); err != nil {
		return cli.Usagef("--agent %q: use %s", client, names(agent.Clients))
	}
	var known []string
	for _, c := range ctx.App.Commands {
		known = append(known, c.Name)
	}
	all := fmt.Sprintf("commands: %s; events: %s", strings.Join(known, ", "), strings.Join(agent.Names, ", "))
	switch {
	case word == "":
		return cli.Usagef("name a command or an event (%s)", all)
	case ctx.NArg() > 1 && slices.Contains(agent.Names, word):
		return cli.Usagef("%s: unexpected argument %q", word, ctx.Args().Get(1))
	}
	for _, name := range append(known, agent.Names...) {
		if strings.EqualFold(word, name) || text.OneTypo(strings.ToLower(word), strings.ToLower(name)) {
			return cli.Usagef("unknown command or event %q: did you mean %s? (%s)", word, name, all)
		}
	}
	return cli.Usagef("unknown command or event %q (%s)", word, all)
}

// refuseArguments makes commands without ArgsUsage refuse arguments.
func refuseArguments(commands []*urfave.Command) []*urfave.Command {
	for _, c := range commands {
		if c.ArgsUsage == "" && c.Subcommands == nil {
			c.Before = noArguments
		}
		refuseArguments(c.Subcommands)
	}
	return commands
}

func noArguments(ctx *urfave.Context) error {
	if ctx.Args().Present() {
		return cli.Usagef("unexpected argument %q", ctx.Args().First())
	}
	return nil
}

func repoFlag(dir *string) urfave.Flag {
	return &urfave.StringFlag{Name: "repo", Usage: "the project is in `DIR`", Destination: dir}
}

func boolFlag(name, usage string, value *bool) urfave.Flag {
	return &urfave.BoolFlag{Name: name, Usage: usage, Destination: value, DisableDefaultText: true}
}

// agrees asks the user, unless yes was given as a flag. It prints the refusal if the user does not
// agree, or cannot be asked.
func agrees(env cli.Env, yes bool, question, refusal string) bool {
	switch {
	case yes:
		return true
	case !cli.IsTerminal(env.Stdin):
		refusal += ": there is no terminal to ask on, so add --yes"
	case cli.Confirm(env, question):
		return true
	}
	fmt.Fprintln(env.Stdout, refusal)
	return false
}

// names returns words for a sentence.
func names[T ~string](all []T) string {
	var words []string
	for _, name := range all {
		words = append(words, string(name))
	}
	return strings.Join(words, ", ")
}
