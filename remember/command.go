package remember

import (
	_ "embed"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/hook"
	"whence/internal/store"
)

//go:embed doc.go
var docGo string

// commandNames are the commands, for who has mistyped one.
const commandNames = "search, list, show, edit, forget, feedback, stats, prune, export, import, store, write, serve, embed, capture, hook, entry, draft-staged"

// Main runs memory-remember and returns its exit status. The server is for its command
// serve; the servers are those where a team's store lies.
func Main(env cli.Env, serve Server, servers store.Servers) int {
	if hook.Asked(env, Hooks()) {
		return cli.OK
	}
	var o rememberOptions
	return cli.Main(env, &urfave.App{
		Name:   "memory-remember",
		Flags:  o.flags(),
		Action: o.remember(env),
		Commands: []*urfave.Command{
			searchCommand(env), listCommand(env), showCommand(env), editCommand(env), forgetCommand(env), feedbackCommand(env),
			statsCommand(env), pruneCommand(env), exportCommand(env), importCommand(env),
			storeCommand(env, servers), writeCommand(env), serveCommand(env, serve), embedCommand(env), captureCommand(env), hook.Command(Hooks()),
			entryCommand(env), draftStagedCommand(env),
		},
	}, docGo)
}

// unknownCommand is the mistake of a command line that stops before the command.
func unknownCommand(ctx *urfave.Context, commands string) error {
	if ctx.Args().Present() {
		return cli.Usagef("unknown command %q: %s", ctx.Args().First(), commands)
	}
	return cli.Usagef("nothing to do: %s (--help tells more)", commands)
}
