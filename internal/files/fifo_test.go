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
func TestReplaceRefusesAPipeAndDoesNotWaitForIt(t *testing.T) {
	isolate(t)
	name := filepath.Join(t.TempDir(), "x.md")
	require.NoError(t, syscall.Mkfifo(name, 0o644))
	done := make(chan error, 1)
	go func() { done <- files.Replace(name, nil, []byte("new")) }()
	select {
	case err := <-done:
		require.ErrorContains(t, err, name+" is no regular file")
	case <-time.After(5 * time.Second):
		t.Fatal("Replace waits for the pipe")
	}
}
