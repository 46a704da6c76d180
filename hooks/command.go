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
		_ = dispatch.Run(env, client, name, answers()) // it is in the log
		return cli.OK
	}
	var client string
	return cli.Main(env, &urfave.App{
		Name:  "memory-hooks",
		Flags: []urfave.Flag{&urfave.StringFlag{Name: "agent", Usage: "the event is from `AGENT`: " + names(agent.Clients), Value: string(agent.Claude), Destination: &client}},
		Commands: []*urfave.Command{
			installCommand(env), uninstallCommand(env), allowCommand(env), statusCommand(env), doctorCommand(env), explainCommand(env),
			notesCommand(env), reportCommand(env),
		},
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

// noArguments refuses arguments.
func noArguments(ctx *urfave.Context) error {
	if ctx.Args().Present() {
		return cli.Usagef("unexpected argument %q", ctx.Args().First())
	}
	return nil
}
