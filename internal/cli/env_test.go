package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
)

// Variables that a repository can make an agent set name no repository, and no folder in the repository itself.
func TestTheEnvironmentOfAnAgent(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".git"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, ".git", "HEAD"), nil, 0o644))
	outside := t.TempDir()
	for _, c := range []struct{ name, value, want string }{
		{"GIT_DIR", outside, ""},
		{"GIT_INDEX_FILE", outside, ""},
		{"HOME", filepath.Join(root, "home"), ""},
		{"HOME", "home", ""},
		{"HOME", outside, outside},
		{"CLAUDE_CONFIG_DIR", filepath.Join(root, ".evil"), ""},
		{"CLAUDE_CONFIG_DIR", outside, outside},
		{"CODEX_HOME", filepath.Join(root, "..", filepath.Base(root)), ""},
		{"CLAUDE_PROJECT_DIR", root, root},
		{"WHENCE_DISABLE", "1", "1"},
	} {
		env := cli.Env{Dir: filepath.Join(root, "web"), Getenv: func(name string) string { return map[string]string{c.name: c.value}[name] }}
		require.NoError(t, os.MkdirAll(env.Dir, 0o755))
		require.Equal(t, c.want, env.ForAgent().Getenv(c.name), "%s=%s", c.name, c.value)
	}
}

// noVariables is an empty environment.
func noVariables(string) string { return "" }
