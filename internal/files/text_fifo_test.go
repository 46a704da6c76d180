//go:build linux || darwin

package files_test

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/files"
)

// Opening a pipe that nobody writes to would wait for ever.
func TestReadRefusesAPipeAndDoesNotWaitForIt(t *testing.T) {
	repo := repository(t, func(m string) error { return syscall.Mkfifo(filepath.Join(m, "x.md"), 0o644) })
	done := make(chan error, 1)
	go func() {
		_, err := files.ReadText(repo, "m/x.md")
		done <- err
	}()
	select {
	case err := <-done:
		require.EqualError(t, err, "m/x.md is no regular file: put a text file in its place")
	case <-time.After(5 * time.Second):
		t.Fatal("Read waits for the pipe")
	}
}
