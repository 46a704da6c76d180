package transcript_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
)

func calls(t *testing.T, src string, from int64) (n int, next int64) {
	t.Helper()
	n, next, err := transcript.Calls(strings.NewReader(src), int64(len(src)), from)
	require.NoError(t, err)
	return n, next
}

// In the transcripts of all agents, each call counts once, whatever the pieces in which they are read.
func TestCalls(t *testing.T) {
	for _, name := range []string{"codex-0.169.0", "copilot-1.0.102", "gemini-cli-0.61.0"} {
		src, err := os.ReadFile("testdata/" + name + "/hooks.jsonl")
		require.NoError(t, err)
		ids := map[string]bool{}
		records, _, _ := reading(t, src, transcript.Cursor{})
		for _, r := range records {
			for _, b := range r.Blocks {
				if b.Kind == transcript.Use && !r.Sidechain {
					ids[b.Tool] = true
				}
			}
		}
		require.NotEmpty(t, ids, name)
		whole, next := calls(t, string(src), 0)
		require.Equal(t, len(ids), whole, name)
		require.EqualValues(t, len(src), next)
		inPieces, at := 0, int64(0)
		for end := 0; end <= len(src); end += 997 {
			n, next := calls(t, string(src[:end]), at)
			inPieces, at = inPieces+n, next
		}
		n, _ := calls(t, string(src), at)
		require.Equal(t, whole, inPieces+n, name)
	}
}

// Only the end of a long part is read, and nothing of a transcript that was rewritten and is shorter now.
func TestCallsOfALongTranscript(t *testing.T) {
	const use = `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Grep","input":{}}]}}` + "\n"
	long := strings.Repeat("x", 1<<20)
	n, next := calls(t, use+user("a", long)+use, 0)
	require.Equal(t, 1, n)
	require.EqualValues(t, len(use+user("a", long)+use), next)
	n, next = calls(t, use, 1000)
	require.Zero(t, n)
	require.EqualValues(t, len(use), next)
	_, _, err := transcript.Calls(bytes.NewReader(nil), 0, 0)
	require.NoError(t, err)
}
