package remember

import (
	_ "embed"

	urfave "github.com/urfave/cli/v3"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/store"
	"whence/internal/team"
)

//go:embed doc.go
var docGo string

// commandNames lists the commands in usage errors.
const commandNames = "search, list, show, edit, forget, prune, export, import, store, write, serve, embed, capture, hook, entry, draft-staged"

// Main runs memory-remember and returns its exit status. The command serve uses serve; searches use
// embeddings; servers opens the stores of teams.
func Main(env cli.Env, serve ServeFunc, embeddings EmbeddingsFunc, servers store.Servers) int {
	if dispatch.RunHook(env, Hooks()) {
		return cli.OK
	}
	env = cli.InShellTool(env)
	server := team.NewServer(servers.Open)
	defer server.Close()
	l := linked{server, embeddings}
	o := rememberOptions{learningOptions: learningOptions{linked: l}}
	return cli.Main(env, confine(env, &urfave.Command{
		Name:   "memory-remember",
		Flags:  o.flags(),
		Action: o.remember(env),
		Commands: []*urfave.Command{
			searchCommand(env, l), listCommand(env, l), showCommand(env, l), editCommand(env, l), forgetCommand(env, l),
			pruneCommand(env, l), exportCommand(env, l), importCommand(env, l),
			storeCommand(env, l, servers), writeCommand(env, l), serveCommand(env, serve, l), embedCommand(env, l), captureCommand(env, nil), dispatch.Command(Hooks()),
			entryCommand(env), draftStagedCommand(env),
		},
	}), docGo)
}

// confine makes all commands, in the shell tool of an agent, refuse what is of other repositories: an
// attacker's text may have made the agent ask for it.
func confine(env cli.Env, app *urfave.Command) *urfave.Command {
	if !agent.InShellTool(env.Getenv) {
		return app
	}
	cli.CheckEach(app, func(cmd *urfave.Command) error {
		for _, name := range []string{"repo", "project-root"} {
			dir := cmd.String(name)
			if dir == "" {
				continue
			}
			if err := env.CheckInside("--"+name+" "+dir, dir); err != nil {
				return err
			}
		}
		for _, name := range []string{"everywhere", "all"} {
			if cmd.Bool(name) {
				return cli.Usagef("--%s: agents may use what is stored for the repository in which they work, and no other: run this in a terminal of your own", name)
			}
		}
		return nil
	})
	return app
}

func unknownCommand(cmd *urfave.Command, commands string) error {
	if cmd.Args().Present() {
		return cli.Usagef("unknown command %q: %s", cmd.Args().First(), commands)
	}
	return cli.Usagef("nothing to do: %s (see --help)", commands)
}
