package dispatch_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/dispatch"
)

// What hangs behind a reply takes no reply with it, and is a line in the log.
func TestAReplyDoesNotWaitForWhatFollowsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		home, end := t.TempDir(), make(chan struct{})
		defer close(end)
		handlers := dispatch.Handlers{agent.Stop: {{Run: func(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
			return func(s *dispatch.Session) agent.Reply {
				s.After(func(context.Context) error { <-end; return nil })
				return agent.Reply{Block: "told"}
			}, nil
		}}}}
		reply, err := run(t, t.TempDir(), home, agent.Stop, `{"session_id":"s"}`, handlers, nil)
		require.ErrorContains(t, err, "took too long")
		require.Contains(t, reply, "told")
		require.Len(t, dispatch.ReadFaults(home), 1)
	})
}
