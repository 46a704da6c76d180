package team_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"whence/internal/team"

	"github.com/stretchr/testify/require"
)

// What was said outside of any repository belongs to its folder: it is not told elsewhere.
func TestTalkIsNeverGlobal(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	repository, plain, other := filepath.Join(dir, "repository"), filepath.Join(dir, "plain"), filepath.Join(dir, "other")
	for _, name := range []string{filepath.Join(repository, "sub"), filepath.Join(plain, "sub"), other} {
		require.NoError(t, os.MkdirAll(name, 0o755))
	}
	require.NoError(t, exec.Command("git", "init", "-q", repository).Run())
	nothing := func(string) string { return "" }
	talk := func(dir string) string { return team.TurnScope(dir, nothing) }
	require.Equal(t, filepath.Join(repository, ".git"), talk(repository))
	require.Equal(t, talk(repository), talk(filepath.Join(repository, "sub")))
	require.Equal(t, plain, talk(plain))
	require.NotEqual(t, talk(plain), talk(other))
	require.NotEmpty(t, talk(filepath.Join(dir, "gone")))
	require.NoError(t, os.WriteFile(filepath.Join(plain, ".whence.yaml"), nil, 0o644))
	require.Equal(t, plain, talk(filepath.Join(plain, "sub")))
}

func projectOf(dir string, getenv func(string) string) string {
	scope, _ := team.ScopeOf(dir, dir, getenv) // without a home there is a project all the same
	return scope.Project
}
