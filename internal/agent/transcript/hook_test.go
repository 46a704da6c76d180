package transcript_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
	"whence/internal/test/repotest"
)

// A real session, in which hooks wrote the name of each event: it is read at that
// event.
func TestWhatHooksHaveToldInARealSession(t *testing.T) {
	src, err := os.ReadFile(repotest.Shared(t, "clients/agents/captured/claude-2.1.329/transcripts/with-hook-context.jsonl"))
	require.NoError(t, err)
	records, _, _ := reading(t, src, transcript.Cursor{})
	told := map[string]int{}
	for _, r := range records {
		if r.Hook != (transcript.Hook{}) {
			require.Equal(t, "KITMARK-"+r.Hook.Event+"-END", r.Hook.Text)
			told[r.Hook.Event]++
		}
	}
	require.Equal(t, strings.Count(string(src), `"hook_additional_context"`), sum(told))
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure"} {
		require.NotZero(t, told[event], event)
	}
}

func sum(counts map[string]int) (all int) {
	for _, n := range counts {
		all += n
	}
	return all
}
