package hooks

import (
	_ "embed"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/hook"
)

//go:embed doc.go
var docGo string

// Main runs memory-hooks and returns its exit status.
func Main(env cli.Env) int {
	if name, client, quick := hook.EventOf(env.Args[min(1, len(env.Args)):]); quick {
		_ = hook.Run(env, client, name, answers()) // it is in the log
		return cli.OK
	}
	return cli.Main(env, &urfave.App{
		Name: "memory-hooks",
		Commands: []*urfave.Command{
			installCommand(env), uninstallCommand(env), allowCommand(env), statusCommand(env), doctorCommand(env), explainCommand(env),
			notesCommand(env), reportCommand(env),
		},
		Action: func(ctx *urfave.Context) error {
			return cli.Usagef("unknown event or command %q (--help lists them)", ctx.Args().First())
		},
	}, docGo)
}

// noArguments refuses arguments.
func noArguments(ctx *urfave.Context) error {
	if ctx.Args().Present() {
		return cli.Usagef("unexpected argument %q", ctx.Args().First())
	}
	return nil
}
