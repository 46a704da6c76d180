package mcp

import (
	"context"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"whence/internal/cli"
	"whence/remember"
)

// farewell is how long the calls in progress have to end once the server is told to.
const farewell = 700 * time.Millisecond

// Serve answers on the streams of env until the client goes or ctx is done. What was asked
// before that is still answered, as far as that does not take long.
func Serve(ctx context.Context, env cli.Env, memory remember.Memory) error {
	m := sdk.NewServer(
		&sdk.Implementation{Name: "whence", Title: "whence memory", Version: cli.Version},
		&sdk.ServerOptions{Instructions: instructions(memory.Policy()), Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}}})
	for _, t := range (&tools{memory}).all() {
		t.register(m)
	}
	ended := make(chan error, 1)
	go func() { ended <- m.Run(context.WithoutCancel(ctx), newConnection(env.Stdin, env.Stdout, ctx.Done())) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case <-ended:
	case <-time.After(farewell):
	}
	return nil
}
