package hooks

import (
	_ "embed"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
)

//go:embed doc.go
var docGo string

// Main runs memory-hooks and returns its exit status.
func Main(env cli.Env) int {
	if name, client, quick := eventOf(env.Args); quick {
		Event(env, client, name)
		return cli.OK
	}
	return cli.Main(env, &urfave.App{
		Name: "memory-hooks",
		Action: func(ctx *urfave.Context) error {
			return cli.Usagef("unknown event or command %q (--help lists them)", ctx.Args().First())
		},
	}, docGo)
}

// eventOf reads a command line that is an event, as agents run it: no flags but --agent.
func eventOf(args []string) (name string, client agent.Client, ok bool) {
	if len(args) < 2 {
		return "", "", false
	}
	name = args[1]
	for _, known := range agent.Names {
		ok = ok || known == name
	}
	switch rest := args[2:]; {
	case !ok:
		return "", "", false
	case len(rest) == 0:
		return name, agent.Claude, true
	case len(rest) == 2 && rest[0] == "--agent":
		client, err := agent.ParseClient(rest[1])
		return name, client, err == nil
	}
	return "", "", false
}
