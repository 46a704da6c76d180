package home_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/home"
)

// Delete removes the files that whence wrote, and the folder if nothing else is in it. All other files stay, whatever
// their names.
func TestDelete(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	ours := []string{
		".claimed.whence-new", "capture.lock", "capture.next.lock", "claimed", "hooks.log", "hooks.log.1", "hooks.log.lock",
		"memory.db", "memory.db-shm", "memory.db-wal", "memory/0123456789abcdef01234567.json",
		"sessions/.0123456789abcdef01234567.json.whence-new", "sessions/0123456789abcdef01234567.json", "settings.yaml",
	}
	others := []string{"memory.db.bak", "memory/notes.md", "notes", "photos/claimed", "sessions/notes.json", "settings.yml"}
	for _, with := range [][]string{nil, others} {
		dir := filepath.Join(t.TempDir(), "whence")
		for _, name := range slices.Concat(ours, with) {
			name = filepath.Join(dir, filepath.FromSlash(name))
			require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
			require.NoError(t, os.WriteFile(name, []byte("x"), 0o600))
		}
		files, err := home.Files(dir)
		require.NoError(t, err)
		require.ElementsMatch(t, ours, files)
		left, err := home.Delete(dir)
		require.NoError(t, err)
		if with == nil {
			require.Empty(t, left)
			require.NoDirExists(t, dir)
			continue
		}
		require.ElementsMatch(t, []string{"memory.db.bak", "memory/notes.md", "notes", "photos", "sessions/notes.json", "settings.yml"}, left)
		for _, name := range others {
			require.FileExists(t, filepath.Join(dir, filepath.FromSlash(name)))
		}
		files, err = home.Files(dir)
		require.NoError(t, err)
		require.Empty(t, files)
	}
	files, err := home.Files(filepath.Join(t.TempDir(), "none"))
	require.NoError(t, err)
	require.Empty(t, files)
}

// Links in the folder are not followed. A link with the name of one of our files is deleted, but not its target.
func TestDeleteFollowsNoLink(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, outside := filepath.Join(t.TempDir(), "whence"), t.TempDir()
	mine := filepath.Join(outside, "0123456789abcdef01234567.json")
	require.NoError(t, os.WriteFile(mine, []byte("mine"), 0o600))
	require.NoError(t, os.Mkdir(dir, 0o700))
	if err := os.Symlink(outside, filepath.Join(dir, "sessions")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	require.NoError(t, os.Symlink(mine, filepath.Join(dir, "hooks.log")))
	left, err := home.Delete(dir)
	require.NoError(t, err)
	require.Equal(t, []string{"sessions"}, left)
	require.FileExists(t, mine)
}
