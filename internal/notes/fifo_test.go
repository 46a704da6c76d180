//go:build unix

package notes_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

// A pipe in the place of a note must not block an event.
func TestPipes(t *testing.T) {
	for _, name := range []string{contextMD, errorsLog, sessionJSON} {
		s := newStage(t, map[string]string{".memory/x": ""})
		require.NoError(t, syscall.Mkfifo(filepath.Join(s.dir, name), 0o600))
		_, err := s.try(agent.Event{Name: agent.SessionStart, Source: "startup"})
		_, again := s.try(agent.Event{Name: agent.PostToolUseFailure, Tool: "Bash", Command: "make", Error: "no rule"})
		require.False(t, err == nil && again == nil, name)
	}
}
