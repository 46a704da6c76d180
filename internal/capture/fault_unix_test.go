//go:build unix

package capture_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"whence/internal/test/repotest"

	"github.com/stretchr/testify/require"
)

// pipe replaces a file with a named pipe without a writer.
func pipe(t *testing.T, name string) {
	require.NoError(t, os.Remove(name))
	require.NoError(t, syscall.Mkfifo(name, 0o600))
}

// A limit on the size of files simulates a full disk: the worker stores what it can, and the next one
// stores the rest.
func TestADiskThatIsFull(t *testing.T) {
	bash := repotest.Program(t, "bash")
	w := newWorld(t, 8, talksOf(8)...)
	for i, k := range w.talks {
		w.write(i, len(k.source()))
		w.tell(i)
	}
	whole := len(read(t, w.talks...))
	for _, blocks := range []string{"0", "1", "64", "128", "256"} {
		cmd := repotest.NewJob("worker", w.home)
		cmd.Args = append([]string{bash, "-c", `trap "" XFSZ; ulimit -f ` + blocks + `; exec "$0" "$@"`}, cmd.Args...)
		cmd.Path = bash
		out, _ := cmd.CombinedOutput()
		t.Logf("%s blocks: %s", blocks, out)
		if blocks == "0" || blocks == "64" {
			require.Less(t, len(stored(t, w.home)), whole, "the limit is none")
		}
	}
	require.FileExists(t, filepath.Join(w.home, "memory.db"))
	w.finish()
}
