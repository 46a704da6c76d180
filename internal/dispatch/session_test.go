package dispatch

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Old session files are removed, even unfinished ones; all other files stay.
func TestOldSessionsGo(t *testing.T) {
	home, now := t.TempDir(), time.Now()
	require.NoError(t, os.Mkdir(sessionsDir(home), 0o700))
	old := now.Add(-maxSessionAge - time.Hour)
	write := func(name string, at time.Time) string {
		name = filepath.Join(sessionsDir(home), name)
		require.NoError(t, os.WriteFile(name, []byte("{}"), 0o600))
		require.NoError(t, os.Chtimes(name, at, at))
		return name
	}
	gone := []string{write(filepath.Base(sessionFile(home, "old")), old), write("."+filepath.Base(sessionFile(home, "old"))+".whence-new", old)}
	kept := []string{write(filepath.Base(sessionFile(home, "new")), now), write("00.lock", old), write("notes.json", old)}
	require.NoError(t, removeOldSessions(home, now))
	for _, name := range gone {
		require.NoFileExists(t, name)
	}
	for _, name := range kept {
		require.FileExists(t, name)
	}
}
