package agent_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

// Each agent has a complete profile, and is named where users look for it.
func TestProfiles(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, isKnown := agent.ParseClient("emacs")
	require.False(t, isKnown)
	home, none := filepath.FromSlash("/home/ann"), func(string) string { return "" }
	for _, c := range agent.Clients {
		require.Contains(t, string(readme), c.Title(), "%s", c)
		require.Equal(t, agent.Stop, c.Canonical(c.NativeEvent(agent.Stop)))
		require.Regexp(t, `^[^%]+memory-remember[^%]+$`, c.ServerCommand(agent.User, "memory-remember"), "%s", c)
		for _, scope := range []agent.Scope{agent.User, agent.Project} {
			_, _, err := c.SettingsFile(scope, home, "/project", none)
			require.NoError(t, err)
		}
		folder, err := c.Folder(home, none)
		require.NoError(t, err)
		transcripts, err := c.Transcripts(home, none)
		require.Equal(t, c.HasTranscripts(), err == nil)
		require.NotContains(t, []string{home, folder, filepath.Join(home, ".local", "share")}, transcripts, "%s: this is too much to read", c)
	}
}

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
