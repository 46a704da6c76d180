package when

import (
	"path/filepath"

	urfave "github.com/urfave/cli/v3"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/worktree"
)

// Agents may run this program without asking their user. So in the shell tool of an agent it reads
// the repository in which it is run, and no other: what an attacker has written there must not make
// the agent read more than it may.

// checkRepository refuses --repo of another repository in the shell tool of an agent.
func checkRepository(env cli.Env, cmd *urfave.Command) error {
	if !cmd.IsSet("repo") || !agent.InShellTool(env.Getenv) {
		return nil
	}
	tree, err := worktree.Open(worktree.Find(env.Dir, ".git"))
	if err != nil {
		return err
	}
	defer tree.Close()
	name, inside := worktree.Name(tree.Dir, env.Path(cmd.String("repo")))
	if inside {
		_, err = tree.Real(name)
	}
	if !inside || err != nil {
		return cli.Usagef("--repo %s: agents may read the repository in which they work, and no other: run this in a terminal of your own", cmd.String("repo"))
	}
	return nil
}

// hooksFor returns Hooks; in the shell tool of an agent, only for events in the repository in which
// the program is run.
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
