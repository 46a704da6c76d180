//go:build linux || darwin

package memory_test

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/memory"
)

// Opening a pipe that nobody writes to would wait for ever.
func TestReadTextRefusesAPipeAndDoesNotWaitForIt(t *testing.T) {
	files := repository(t, func(m string) error { return syscall.Mkfifo(filepath.Join(m, "x.md"), 0o644) })
	done := make(chan error, 1)
	go func() {
		_, err := memory.ReadText(files, "m/x.md")
		done <- err
	}()
	select {
	case err := <-done:
		require.EqualError(t, err, "m/x.md is no regular file: name a Markdown file")
	case <-time.After(5 * time.Second):
		t.Fatal("ReadText waits for the pipe")
	}
}
