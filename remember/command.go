package remember

import (
	_ "embed"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
)

//go:embed doc.go
var docGo string

// Main runs memory-remember and returns its exit status.
func Main(env cli.Env) int {
	var repository cli.Repository
	return cli.Main(env, &urfave.App{
		Name:  "memory-remember",
		Flags: repository.Flags(),
		Action: func(ctx *urfave.Context) error {
			return unknownCommand(ctx, "the commands are entry and draft-staged")
		},
		Commands: []*urfave.Command{entryCommand(env), draftStagedCommand(env)},
	}, docGo)
}

// unknownCommand is the mistake of a command line that stops before the command.
func unknownCommand(ctx *urfave.Context, commands string) error {
	if ctx.Args().Present() {
		return cli.Usagef("unknown command %q: %s", ctx.Args().First(), commands)
	}
	return cli.Usagef("nothing to do: %s (--help tells more)", commands)
}
