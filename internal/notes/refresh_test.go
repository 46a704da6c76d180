package notes_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

// toldAt returns the tool calls, counted from 1, after which the notes are injected.
func toldAt(s *stage, calls int) (at []int) {
	for i := 1; i <= calls; i++ {
		if s.use() != "" {
			at = append(at, i)
		}
	}
	return at
}

func TestRefresh(t *testing.T) {
	s := newStage(t, map[string]string{contextMD: "- a goal\n"})
	require.Equal(t, []int{10, 20, 30}, toldAt(s, 30))
	s.config.NotesRefresh = 3
	require.Equal(t, []int{3, 6, 9}, toldAt(s, 9))
	s.config.NotesRefresh = 0
	require.Empty(t, toldAt(s, 30))
}

func TestRefreshOfNothing(t *testing.T) {
	s := newStage(t, nil)
	s.start("startup")
	require.Empty(t, toldAt(s, 30))
}

// Each subagent counts for itself; failures count too.
func TestRefreshOfSubagents(t *testing.T) {
	s := newStage(t, map[string]string{contextMD: "- a goal\n"})
	for i := range 12 {
		for a := range 3 {
			name := []string{agent.PostToolUse, agent.PostToolUseFailure}[i%2]
			told := s.event(agent.Event{Name: name, Tool: "Grep", Subagent: fmt.Sprint("a", a), Interrupt: true})
			require.Equal(t, i == 9, told != "", "%d %d", i, a)
		}
	}
	require.Empty(t, s.use(), "the agent that began them has made one call")
}

// sessionFields returns the fields of session.json.
func sessionFields(s *stage) (all struct {
	ToolCallCount int
	CurrentPhase  string
	Sessions      []struct {
		SessionID     string
		ToolCallCount int
	}
}) {
	require.NoError(s, json.Unmarshal([]byte(s.read(sessionJSON)), &all))
	return all
}

func TestSessionsDoNotOverwriteEachOther(t *testing.T) {
	s := newStage(t, map[string]string{sessionJSON: `{"sessionId":"s","toolCallCount":37,"currentPhase":"Build"}`})
	s.start("startup")
	require.Equal(t, 37, sessionFields(s).ToolCallCount)
	for i := range 50 {
		for range i%3 + 1 {
			s.event(agent.Event{Name: agent.PostToolUse, Tool: "Grep", Session: fmt.Sprint("other", i)})
		}
	}
	s.use()
	all := sessionFields(s)
	require.Equal(t, 37+99+1, all.ToolCallCount)
	require.Equal(t, "Build", all.CurrentPhase)
	require.Len(t, all.Sessions, 20)
	for _, one := range all.Sessions[:19] {
		var i int
		_, err := fmt.Sscanf(one.SessionID, "other%d", &i)
		require.NoError(t, err)
		require.Equal(t, i%3+1, one.ToolCallCount)
	}
	require.Equal(t, "s1", all.Sessions[19].SessionID)
}

// If session.json cannot be read, no prompt is noted, since it is not known which one is the first.
func TestSessionsThatCannotBeRead(t *testing.T) {
	s := newStage(t, map[string]string{contextMD: "# Context\n", sessionJSON + "/in.txt": "x"})
	for range 3 {
		_, err := s.try(agent.Event{Name: agent.UserPromptSubmit, Prompt: "make the buoys of the harbour blink"})
		require.ErrorContains(t, err, "session.json")
	}
	require.Equal(t, "# Context\n", s.read(contextMD))
}

func TestDamagedSessions(t *testing.T) {
	for _, bad := range []string{"{broken", "[]", "7", `{"sessions":5}`, `{"toolCallCount":"x"}`, "\x00\xff", `{"sessions":[{"sessionId":[]}]}`} {
		s := newStage(t, map[string]string{sessionJSON: bad})
		s.start("startup")
		require.Equal(t, bad, s.read(sessionJSON+".bad"))
		require.Len(t, sessionFields(s).Sessions, 1)
	}
	for _, odd := range []string{"null", "", "{}", `{"sessions":null}`, `{"sessions":[null]}`} {
		s := newStage(t, map[string]string{sessionJSON: odd})
		s.start("startup")
		require.NoFileExists(t, s.dir+"/"+sessionJSON+".bad")
		require.NotEmpty(t, sessionFields(s).Sessions)
	}
}
