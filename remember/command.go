package remember

import (
	_ "embed"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
)

//go:embed doc.go
var docGo string

// commandNames lists the commands in usage errors.
const commandNames = "search, list, show, edit, forget, session, prune, export, import, store, serve, capture, hook, decide, entry"

// Parts are the parts that only memory-remember links, because they take start-up time. Its main provides them.
type Parts struct {
	Serve ServeFunc
	Embed EmbedFunc
}

// Main runs memory-remember and returns its exit status.
func Main(env cli.Env, parts Parts) int {
	if dispatch.RunHook(env, Hooks()) {
		return cli.OK
	}
	env = cli.InShellTool(env)
	o := rememberOptions{learningOptions: learningOptions{Parts: parts}}
	return cli.Main(env, confine(env, &urfave.App{
		Name:   "memory-remember",
		Flags:  o.flags(),
		Action: o.remember(env),
		Commands: []*urfave.Command{
			searchCommand(env, parts), listCommand(env, parts), showCommand(env, parts), editCommand(env, parts), forgetCommand(env, parts),
			sessionCommand(env, parts), pruneCommand(env, parts), exportCommand(env, parts), importCommand(env, parts), storeCommand(env, parts),
			serveCommand(env, parts), captureCommand(env, parts), decideCommand(env, parts), entryCommand(env), dispatch.Command(Hooks()),
		},
	}), docGo)
}

// confine makes all commands in the shell tool of an agent refuse to read or write what belongs to other repositories:
// an attacker's text may have made the agent ask for it.
func confine(env cli.Env, app *urfave.App) *urfave.App {
	if !agent.InShellTool(env.Getenv) {
		return app
	}
	cli.CheckEach(app, func(cmd *urfave.Context) error {
		for _, name := range []string{"everywhere", "all", "global"} {
			if cmd.Bool(name) {
				return cli.Usagef("--%s: agents may use what is stored for the repository in which they work, and no other: run this in a terminal of your own", name)
			}
		}
		if cmd.Command.Name == "import" {
			return cli.Usagef("import: agents may not import learnings: run this in a terminal of your own")
		}
		return nil
	})
	return cli.Confined(env, app)
}
