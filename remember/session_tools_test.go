package remember_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The server of the memory is looked for in the settings of a repository, if these are of the
// size that somebody writes.
func TestSettingsOfARepositoryTakeNoTime(t *testing.T) {
	for size, want := range map[int]bool{0: true, 300 << 10: false} {
		l := newLearner(t)
		name := filepath.Join(l.dir, ".gemini", "settings.json")
		require.NoError(t, os.Mkdir(filepath.Dir(name), 0o700))
		text := `{"mcpServers": {"memory": {"command": "memory-remember"}}}` + strings.Repeat(" ", size)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		got := l.runWith(`{"session_id":"s1","source":"startup"}`, "hook", "SessionStart", "--agent", "gemini")
		require.Contains(t, got.Stdout, "Available commands")
		require.Equal(t, want, strings.Contains(got.Stdout, "store_memory"))
	}
}
