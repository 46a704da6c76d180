package remember

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/store"
	"whence/internal/team"
)

// Memory is what a server lets agents work on. Each call asks anew, so that settings that
// change while it runs are followed at once, and nothing that fails ends it.
type Memory struct {
	Base   func() (*Service, error)                        // the learnings of this place, without a policy
	Policy func() (store.Policy, error)                    // what the settings allow; an error: nothing
	When   func(query string) (text string, answered bool) // decisions, and whether there are any
}

// Server serves tools for agents on the streams of env until its client goes, or ctx is
// done.
type Server func(ctx context.Context, env cli.Env, m Memory) error

// serveCommand runs the MCP server, which main hands over: it is not in the programs that
// do not serve.
func serveCommand(env cli.Env, serve Server, server *team.Server) *urfave.Command {
	o := learningOptions{format: "text", server: server}
	return &urfave.Command{
		Name: "serve", Usage: "serve store_memory, search_memory, when, forget_memory and record_feedback by MCP, on standard input and output",
		Flags: []urfave.Flag{o.repoFlag(), o.sessionFlag()},
		Action: func(ctx *urfave.Context) error {
			if ctx.Args().Present() {
				return unexpected(ctx)
			}
			until, stop := signal.NotifyContext(background(ctx), os.Interrupt, syscall.SIGTERM)
			defer stop()
			return serve(until, env, Memory{
				Base:   func() (*Service, error) { return o.base(env) },
				Policy: func() (store.Policy, error) { return o.policy(env) },
				When:   func(query string) (string, bool) { return whenText(env, o.place(env), query) },
			})
		},
	}
}
