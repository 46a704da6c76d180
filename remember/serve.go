package remember

import (
	"context"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/knowledge"
)

// Server serves tools for agents until its client goes. The base is what it works on;
// err, if not nil, says why the settings cannot be read: nothing may be stored then of
// the agent's own accord. When answers queries for decisions: its text, and whether there
// is an answer.
type Server func(ctx context.Context, env cli.Env, b *knowledge.Base, err error, when func(query string) (string, bool)) error

// serveCommand runs the MCP server, which main hands over: it is not in the programs that
// do not serve.
func serveCommand(env cli.Env, serve Server) *urfave.Command {
	var o learningOptions
	return &urfave.Command{
		Name: "serve", Usage: "serve store_memory, search_memory, when, forget_memory and record_feedback by MCP, on standard input and output",
		Flags: o.flags(),
		Action: func(ctx *urfave.Context) error {
			if ctx.Args().Present() {
				return cli.Usagef("unexpected argument %q", ctx.Args().First())
			}
			b, err := o.base(env)
			if err != nil {
				return err
			}
			var settings error
			b.Policy, settings = o.policy(env)
			return serve(background(ctx), env, b, settings, func(query string) (string, bool) { return whenText(env, o.place(env), query) })
		},
	}
}
