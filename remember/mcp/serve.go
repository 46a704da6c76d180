package mcp

import (
	"context"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"whence/internal/agent/usertext"
	"whence/internal/cli"
	"whence/internal/text"
	"whence/remember"
)

// maxStopTime bounds the calls in progress after the server is asked to stop.
const maxStopTime = 700 * time.Millisecond

// Serve serves the tools on the streams of env until the client closes its end or ctx is done.
// Calls in progress then have a bounded time to end.
func Serve(ctx context.Context, env cli.Env, backend remember.Backend) error {
	m := sdk.NewServer(
		&sdk.Implementation{Name: "whence", Title: "whence memory", Version: cli.Version},
		&sdk.ServerOptions{Instructions: text.Inert(instructions(backend.Policy()), usertext.Markup...), Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}}})
	for _, t := range (&tools{backend}).all() {
		t.register(m)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- m.Run(context.WithoutCancel(ctx), newConnection(env.Stdin, text.Exact(env.Stdout), ctx.Done()))
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case <-ended:
	case <-time.After(maxStopTime):
	}
	return nil
}
