package agent_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

func TestClaudeProjects(t *testing.T) {
	home, folder := filepath.Join(t.TempDir(), "ann"), t.TempDir()
	for want, dir := range map[string]string{
		filepath.Join(home, ".claude", "projects"): "",
		filepath.Join(folder, "projects"):          folder,
	} {
		got, err := agent.Claude.Transcripts(home, func(name string) string { return map[string]string{"CLAUDE_CONFIG_DIR": dir}[name] })
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := agent.Claude.Transcripts("", func(string) string { return "" })
	require.EqualError(t, err, "there is no home folder: set HOME")
}
