//go:build unix

package team_test

import (
	"os"
	"path/filepath"
	"testing"
	"whence/internal/team"

	"github.com/stretchr/testify/require"
)

// A repository that git refuses cannot say that it is another one, of the user, by its file .git
// or by the name of its remote; and what is learned in it does not hold everywhere.
func TestARepositoryOfAnotherUserIsItsFolder(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files to another user")
	}
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	nothing := func(string) string { return "" }
	base, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	own := filepath.Join(base, "own")
	for _, name := range []string{"objects", "refs"} {
		require.NoError(t, os.MkdirAll(filepath.Join(own, ".git", name), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(own, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o644))
	require.Equal(t, filepath.Join(own, ".git"), projectOf(own, nothing))

	foreign := filepath.Join(base, "foreign")
	require.NoError(t, os.Mkdir(foreign, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(foreign, ".git"), []byte("gitdir: "+filepath.Join(own, ".git")+"\n"), 0o644))
	require.Equal(t, filepath.Join(foreign, ".git"), projectOf(foreign, nothing), "it does not point back")
	require.NoError(t, os.Chown(filepath.Join(foreign, ".git"), 1001, 1001))
	require.Equal(t, foreign, projectOf(foreign, nothing))
	require.Equal(t, foreign, team.TurnScope(foreign, nothing))
	_, err = team.RepositoryID(foreign, foreign, nothing)
	require.ErrorContains(t, err, "safe.directory")
}
