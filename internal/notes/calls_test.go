package notes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

// uses returns lines of a transcript with tool calls.
func uses(begin, n int) string {
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, `{"type":"assistant","uuid":"u%[1]d","message":{"content":[{"type":"tool_use","id":"t%[1]d","name":"Grep","input":{}}]}}`+"\n", begin+i)
	}
	return lines.String()
}

// Calls that no event reports are counted in the transcript, except those of subagents and those made before.
func TestCallsAreCountedInTheTranscript(t *testing.T) {
	s := newStage(t, map[string]string{contextMD: "- a goal\n"})
	path := filepath.Join(s.dir, "s1.jsonl")
	written := uses(0, 25)
	write := func(more string) {
		written += more
		require.NoError(t, os.WriteFile(path, []byte(written), 0o644))
	}
	event := func(name string) string {
		return s.event(agent.Event{Name: name, Source: "resume", Transcript: path, Tool: "Read"})
	}
	write("")
	event(agent.SessionStart)
	write(uses(25, 9))
	require.Empty(t, event(agent.PostToolUse))
	write(`{"type":"assistant","isSidechain":true,"message":{"content":[{"type":"tool_use","id":"x","name":"Grep","input":{}}]}}` + "\n" + strings.TrimSuffix(uses(34, 1), "}\n"))
	require.Empty(t, event(agent.PostToolUse), "the last line is not complete yet")
	write("}\n")
	require.NotEmpty(t, event(agent.PostToolUseFailure))
	write(uses(35, 12))
	require.NotEmpty(t, event(agent.UserPromptSubmit), "all after the last event about a call")
	write(uses(47, 9))
	require.Empty(t, event(agent.PostToolUse), "the count begins anew")
	require.Equal(t, 31, sessionFields(s).ToolCallCount)
}

// A session that begins before its transcript exists is counted from its beginning.
func TestCallsOfANewTranscript(t *testing.T) {
	s := newStage(t, map[string]string{contextMD: "- a goal\n"})
	e := agent.Event{Name: agent.SessionStart, Source: "startup", Transcript: filepath.Join(s.dir, "s1.jsonl")}
	s.event(e)
	require.NoError(t, os.WriteFile(e.Transcript, []byte(uses(0, 10)), 0o644))
	e.Name = agent.PostToolUse
	require.NotEmpty(t, s.event(e))
}
