package repo

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Filters are found in the files of the repository and the user, unless there may be others.
func TestUserFilterKeys(t *testing.T) {
	home, gitDir := t.TempDir(), t.TempDir()
	write := func(dir, name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	keys := func(env ...string) ([]string, bool) {
		r := &Repository{CommonDir: gitDir, GitDir: gitDir, env: append([]string{"HOME=" + home}, env...)}
		return r.userFilterKeys()
	}
	none, known := keys()
	require.True(t, known)
	require.Empty(t, none)

	write(home, ".gitconfig", "[filter \"lfs\"]\n\tclean = a\n\tprocess = b\n")
	write(home, ".config/git/config", "[Filter \"Two words\"] Clean = a\n")
	write(gitDir, "config", "[filter.Own]\nsmudge = c\n")
	found, known := keys()
	require.True(t, known)
	require.Equal(t, []string{"filter.Two words.clean", "filter.lfs.clean", "filter.lfs.process", "filter.own.smudge"}, found)
	_, known = keys("HOME=")
	require.False(t, known)
	for _, text := range []string{"[filter", "[include]\n\tpath = x\n", "[includeIf \"gitdir:~/\"]\n\tpath = x\n"} {
		write(home, ".gitconfig", text)
		_, known := keys()
		require.False(t, known, text)
	}
}
