package when

import (
	"path/filepath"
	"slices"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
)

// Agents may run this program without asking their user. In the shell tool of an agent it therefore reads only the
// repository in which it is run: what an attacker has written there must not make the agent read more than it may.

// In the shell tool of an agent, confine makes all commands refuse possible paths out of the repository: in the value
// of any flag, and in any argument, except for the commands that take text to look up.
func confine(env cli.Env, app *urfave.App, takeText ...string) *urfave.App {
	if !agent.InShellTool(env.Getenv) {
		return app
	}
	cli.CheckEach(app, func(cmd *urfave.Context) error {
		for _, f := range cmd.Command.Flags {
			name := f.Names()[0]
			if !cmd.IsSet(name) {
				continue
			}
			values := []string{cmd.String(name)}
			if _, isSlice := f.(*urfave.StringSliceFlag); isSlice {
				values = cmd.StringSlice(name)
			}
			for _, value := range values {
				if err := env.CheckInside("--"+name+" "+value, value); err != nil {
					return err
				}
			}
		}
		if slices.Contains(takeText, cmd.Command.Name) {
			return nil
		}
		for _, arg := range cmd.Args().Slice() {
			if err := env.CheckInside(arg, arg); err != nil {
				return err
			}
		}
		return nil
	})
	return app
}

// hooksFor returns Hooks. In the shell tool of an agent, they handle only events in the repository in which the program
// is run.
func hooksFor(env cli.Env) dispatch.Handlers {
	handlers := Hooks()
	if !agent.InShellTool(env.Getenv) {
		return handlers
	}
	root := cli.Root(env.Dir)
	for _, list := range handlers {
		for i, h := range list {
			list[i].Wants = func(e agent.Event) bool {
				return cli.Root(filepath.Clean(e.Cwd)) == root && (h.Wants == nil || h.Wants(e))
			}
		}
	}
	return handlers
}
