//go:build unix

package spool_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/spool"
)

// A file that cannot be written to its end is like a full disk: the shell sets the limit,
// in blocks of 512 or 1,024 bytes.
func TestWhatCannotBeWrittenIsNotAccepted(t *testing.T) {
	dir := filled(t, "one")
	limited := func(size string) ([]byte, error) {
		cmd := exec.Command("sh", "-c", `ulimit -f 16; exec "$@"`, "sh", os.Args[0], dir, size)
		cmd.Env = append(os.Environ(), jobVariable+"=fault")
		return cmd.CombinedOutput()
	}
	out, err := limited("100")
	require.NoError(t, err, string(out))
	before, err := os.ReadDir(dir)
	require.NoError(t, err)
	out, err = limited("100000")
	require.Error(t, err)
	require.Contains(t, string(out), "file too large")
	require.Contains(t, string(out), dir)
	after, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Equal(t, len(before), len(after), "something is left")
}

// A pipe with the name of a job does not block a worker.
func TestAPipeIsNoJob(t *testing.T) {
	dir := filled(t, "pipe", "good")
	name := filepath.Join(dir, jobFiles(t, dir)[0])
	require.NoError(t, os.Remove(name))
	require.NoError(t, syscall.Mkfifo(name, 0o600))
	tried, _, err := drain(dir, succeed)
	require.ErrorContains(t, err, "not what was added")
	require.Equal(t, []string{"good"}, tried)
}

// It is an error of all, and not a spool with nothing in it.
func TestAFileInTheWay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "spool")
	require.NoError(t, os.WriteFile(dir, nil, 0o600))
	require.ErrorIs(t, spool.Add(dir, "", []byte("one")), syscall.ENOTDIR)
	_, err := spool.StatusOf(dir)
	require.Error(t, err)
	_, _, err = drain(dir, succeed)
	require.Error(t, err)
	require.Error(t, spool.Start(dir, "true"))
}
