package remember

import (
	_ "embed"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/store"
	"whence/internal/team"
)

//go:embed doc.go
var docGo string

// commandNames lists the commands in usage errors.
const commandNames = "search, list, show, edit, forget, feedback, stats, prune, export, import, store, write, serve, embed, capture, hook, entry, draft-staged"

// Main runs memory-remember and returns its exit status. The command serve uses serve; servers opens
// the stores of teams.
func Main(env cli.Env, serve ServeFunc, servers store.Servers) int {
	if dispatch.RunHook(env, Hooks()) {
		return cli.OK
	}
	server := team.NewServer(servers.Open)
	defer server.Close()
	o := rememberOptions{learningOptions: learningOptions{server: server}}
	return cli.Main(env, &urfave.App{
		Name:   "memory-remember",
		Flags:  o.flags(),
		Action: o.remember(env),
		Commands: []*urfave.Command{
			searchCommand(env, server), listCommand(env, server), showCommand(env, server), editCommand(env, server), forgetCommand(env, server), feedbackCommand(env, server),
			statsCommand(env, server), pruneCommand(env, server), exportCommand(env, server), importCommand(env, server),
			storeCommand(env, server, servers), writeCommand(env, server), serveCommand(env, serve, server), embedCommand(env, server), captureCommand(env, server), dispatch.Command(Hooks()),
			entryCommand(env), draftStagedCommand(env),
		},
	}, docGo)
}

func unknownCommand(ctx *urfave.Context, commands string) error {
	if ctx.Args().Present() {
		return cli.Usagef("unknown command %q: %s", ctx.Args().First(), commands)
	}
	return cli.Usagef("nothing to do: %s (see --help)", commands)
}
