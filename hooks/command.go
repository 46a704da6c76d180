package hooks

import (
	_ "embed"
	"slices"

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
		Commands: []*urfave.Command{
			installCommand(env), uninstallCommand(env), statusCommand(env), doctorCommand(env), explainCommand(env),
			notesCommand(env),
		},
		Action: func(ctx *urfave.Context) error {
			return cli.Usagef("unknown event or command %q (--help lists them)", ctx.Args().First())
		},
	}, docGo)
}

// isEvent tells whether a word is an event, or one that this program does not know yet:
// commands are written small.
func isEvent(name string) bool {
	return slices.Contains(agent.Names, name) || name != "" && name[0] >= 'A' && name[0] <= 'Z'
}

// eventOf reads a command line that is an event, as agents run it: no flags but --agent.
func eventOf(args []string) (name string, client agent.Client, ok bool) {
	var err error
	switch {
	case len(args) == 2:
		client = agent.Claude
	case len(args) == 4 && args[2] == "--agent":
		client, err = agent.ParseClient(args[3])
	default:
		return "", "", false
	}
	return args[1], client, err == nil && isEvent(client.Canonical(args[1]))
}
