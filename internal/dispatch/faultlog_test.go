package dispatch_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/config"
	"whence/internal/dispatch"
)

// An event that is late, or whose project cannot be opened, is logged as the user's own settings
// and the environment say.
func TestTheUsersSettingsCountWhereNoProjectIsOpen(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	for name, c := range map[string]struct {
		settings, variable string
		logged             int
	}{
		"nothing is set":          {"", "", 1},
		"off in the user's file":  {"memory_event_log: off\n", "", 0},
		"off in the environment":  {"", "off", 0},
		"more in the environment": {"memory_event_log: off\n", "events", 0},
	} {
		for fault, dir := range map[string]string{"late": t.TempDir(), "no project": gone} {
			t.Run(name+", "+fault, func(t *testing.T) {
				home, end := t.TempDir(), make(chan struct{})
				defer close(end)
				require.NoError(t, os.WriteFile(filepath.Join(home, config.UserFile), []byte(c.settings), 0o600))
				handlers := dispatch.Handlers{agent.Stop: {{Run: func(context.Context, *dispatch.Request) (dispatch.RenderFunc, error) { <-end; return nil, nil }}}}
				_, err := run(t, dir, home, agent.Stop, `{"session_id":"s"}`, handlers, map[string]string{"WHENCE_EVENT_LOG": c.variable, "WHENCE_HOOK_DEADLINE": "20ms"})
				require.Error(t, err)
				logged, _, err := dispatch.ReadEvents(home, time.Time{})
				require.NoError(t, err)
				require.Len(t, logged, c.logged)
				for _, r := range logged {
					require.True(t, r.Fault)
				}
				require.Len(t, dispatch.ReadFaults(home), 1)
			})
		}
	}
}

// What hangs behind a reply takes no reply with it, and is a line in the log.
func TestAReplyDoesNotWaitForWhatFollowsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		home, end := t.TempDir(), make(chan struct{})
		defer close(end)
		handlers := dispatch.Handlers{agent.Stop: {{Run: func(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
			r.Later(func(context.Context) { <-end })
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
