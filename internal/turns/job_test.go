package turns_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/internal/turns"
)

// added is all that a job leaves on the disk.
func added(t *testing.T, j turns.Job) (kept string) {
	t.Helper()
	home := t.TempDir()
	require.NoError(t, turns.AddJob(home, j))
	require.NoError(t, filepath.WalkDir(home, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		require.NoError(t, err)
		if runtime.GOOS != "windows" {
			require.Zero(t, info.Mode().Perm()&0o077, "%s is for its owner alone", name)
		}
		src, err := os.ReadFile(name)
		kept += string(src)
		return err
	}))
	return kept
}

// Of a long answer the beginning is kept, and no half of a secret, wherever it is cut.
func TestALongAnswerIsCut(t *testing.T) {
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	for _, end := range []int{64 << 10, 1 << 20} {
		for n := range len(secret) + 2 {
			answer := strings.Repeat("é", end/2)[:end-n] + " " + secret + strings.Repeat(" and so on", 5000)
			kept := added(t, turns.Job{Session: "s", Cwd: "/", Answer: answer})
			require.NotContains(t, kept, "ghp_", "%d before %d", n, end)
			require.Greater(t, len(kept), 60<<10)
			require.Less(t, len(kept), 80<<10)
			require.True(t, utf8.ValidString(kept))
		}
	}
	many := added(t, turns.Job{Session: "s", Cwd: "/", Answer: strings.Repeat("-----BEGIN "+"PRIVATE KEY-----\n"+strings.Repeat("A1b2", 5000)+"\n", 100)})
	require.NotContains(t, many, "A1b2")
	require.Less(t, len(many), 64<<10)
}

// A path cannot be kept without its secret, as it would be that of another file: such a job
// is refused with an error that does not contain the secret.
func TestAPathWithASecret(t *testing.T) {
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	for name, j := range map[string]turns.Job{
		"working folder": {Session: "s", Cwd: "/srv/" + secret},
		"transcript":     {Session: "s", Cwd: "/srv", Transcript: "/srv/" + secret + ".jsonl"},
		"subagent":       {Session: "s", Cwd: "/srv", SubTranscript: "/srv/<private>x</private>/s.jsonl"},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			err := turns.AddJob(home, j)
			require.ErrorContains(t, err, "contains a secret: rename it")
			require.NotContains(t, err.Error(), secret)
			require.NoDirExists(t, turns.SpoolDir(home))
		})
	}
	require.NotContains(t, added(t, turns.Job{Session: secret, Cwd: "/srv"}), secret)
}
