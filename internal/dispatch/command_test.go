package dispatch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/dispatch"
)

// No command is taken for an event, whichever agent is named; unknown events are taken for
// events.
func TestEventOf(t *testing.T) {
	events := map[agent.Client][]string{
		agent.Claude:   {"Stop", "SessionStart", "NotYetInvented"},
		agent.Codex:    {"Stop", "Interrupt"},
		agent.Gemini:   {"BeforeAgent", "AfterModel"},
		agent.OpenCode: {"Stop", "NotYetInvented"},
		agent.Copilot:  {"Stop", "NotYetInvented"},
		agent.Cursor:   {"stop", "beforeSubmitPrompt", "Stop", "NotYetInvented"},
	}
	for _, c := range agent.Clients {
		require.NotEmpty(t, events[c], "%s has no row", c)
		for _, name := range events[c] {
			for _, args := range [][]string{{name, "--agent", string(c)}, {"--agent", string(c), name}, {name, "--agent=" + string(c)}, {"--agent=" + string(c), name}} {
				got, client, ok := dispatch.EventOf(args)
				require.True(t, ok, "%q", args)
				require.Equal(t, []string{name, string(c)}, []string{got, string(client)})
			}
		}
		for _, word := range []string{"install", "uninstall", "status", "doctor", "explain", "report", "notes", "allow", "help", "whatever", "", "-h", "sessionstart", "agentstop"} {
			_, _, ok := dispatch.EventOf([]string{word, "--agent", string(c)})
			require.False(t, ok, "%s of %s", word, c)
		}
	}
	_, _, ok := dispatch.EventOf([]string{"sessionStart"})
	require.False(t, ok, "Claude Code writes it otherwise")
	for _, args := range [][]string{nil, {"Stop", "--agent", "emacs"}, {"Stop", "--agent"}, {"--agent", "Stop"}, {"--agent", "codex"}, {"Stop", "Stop"}, {"Stop", "--scope", "user"}, {"--agent", "copilot", "install"}, {"install", "--agent", "copilot", "--scope", "user"}} {
		_, _, ok := dispatch.EventOf(args)
		require.False(t, ok, "%q", args)
	}
}
