//go:build linux || darwin

package config_test

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
)

// Opening a pipe without a writer would block forever.
func TestAPipeIsRefusedAndNotWaitedFor(t *testing.T) {
	tree := root(t, func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, config.ProjectFile), 0o644) })
	done := make(chan error, 1)
	go func() {
		_, err := config.LoadFrom(tree, allowing(unset))
		done <- err
	}()
	select {
	case err := <-done:
		var bad *config.Error
		require.ErrorAs(t, err, &bad)
		require.EqualError(t, err, "settings .whence.yaml is not a regular file: put a text file in its place")
	case <-time.After(5 * time.Minute):
		t.Fatal("Load waits for the pipe")
	}
}
