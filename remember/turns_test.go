package remember_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/dispatch"
	"whence/internal/turns"
)

// What a worker has done is told: to whoever started it, or where an event did, what is
// not done every day, and what went wrong, in the log.
func TestCaptureTellsWhatItHasDone(t *testing.T) {
	l := newLearner(t)
	home := l.settings["WHENCE_HOME"]
	log := func() string {
		t.Helper()
		src, err := os.ReadFile(filepath.Join(home, dispatch.FaultLogName))
		if !os.IsNotExist(err) {
			require.NoError(t, err)
		}
		return string(src)
	}
	add := func(cwd string) {
		t.Helper()
		require.NoError(t, turns.AddJob(home, turns.Job{Session: "s", Cwd: cwd}))
	}
	require.Equal(t, answer{0, "", "memory-remember: 0 jobs done\n"}, l.run("capture"))
	require.NoDirExists(t, turns.SpoolDir(home), "nothing is made for nothing")

	l.captured("old", "", 200*24*time.Hour, "what was said half a year ago and more")
	add(l.dir)
	got := l.run("capture")
	require.Equal(t, []any{0, ""}, []any{got.Status, got.Stdout})
	require.Equal(t, "memory-remember: 1 job done, 1 old turn deleted\n", got.Stderr)
	require.Empty(t, log())

	add(l.dir)
	require.Equal(t, answer{}, l.run("capture", "--quiet", "--store", home))
	require.Empty(t, log())

	secret := "ghp_" + strings.Repeat("a1B2", 9)
	require.NoError(t, turns.AddJob(home, turns.Job{Session: "s", Cwd: l.dir, Transcript: strings.Repeat("x", 5000)}))
	require.NoError(t, os.Rename(filepath.Join(home, "memory.db"), filepath.Join(home, "memory.db.old")))
	require.NoError(t, os.WriteFile(filepath.Join(home, "memory.db"), []byte(strings.Repeat("no database "+secret, 100)), 0o600))
	for _, name := range []string{"memory.db-wal", "memory.db-shm"} {
		_ = os.Remove(filepath.Join(home, name))
	}
	require.Equal(t, 4, l.run("capture", "--quiet", "--store", home).Status)
	require.Contains(t, log(), "it is not a database, or damaged: move it away, or put back a copy\n")
	require.NotContains(t, log(), secret)
	require.Equal(t, 3, l.run("capture", "now").Status)
}
