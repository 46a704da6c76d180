//go:build unix

package turns_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// pipe replaces a file with a named pipe without a writer.
func pipe(t *testing.T, name string) {
	require.NoError(t, os.Remove(name))
	require.NoError(t, syscall.Mkfifo(name, 0o600))
}

// A worker that may write no file of some length is one on a disk that is full: it stores
// what it can, and what it cannot waits.
func TestADiskThatIsFull(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("limits are set by bash: ", err)
	}
	w := newWorld(t, 8, talksOf(8)...)
	for i, k := range w.talks {
		w.write(i, len(k.source()))
		w.tell(i)
	}
	for _, blocks := range []string{"0", "1", "64", "128", "256"} {
		cmd := worker("once", w.home)
		cmd.Args = append([]string{bash, "-c", `trap "" XFSZ; ulimit -f ` + blocks + `; exec "$0" "$@"`}, os.Args[0], w.home)
		cmd.Path = bash
		out, _ := cmd.CombinedOutput()
		t.Logf("%s blocks: %s", blocks, out)
		s := statusOf(t, w.home)
		require.Zero(t, s.Failed)
		if blocks == "0" || blocks == "64" {
			require.NotZero(t, s.Waiting, "the limit is none")
		}
	}
	require.FileExists(t, filepath.Join(w.home, "memory.db"))
	w.finish()
}
