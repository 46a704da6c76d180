//go:build unix

package remember_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/remember"
)

// A pipe in the place of a file is skipped: opening it would wait for a writer.
func TestATopicDoesNotWaitForAPipe(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "CLAUDE.md"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "README.md"), []byte("# Ferry\n\nBooks ferries.\n"), 0o600))
	topic, err := remember.Topic(t.Context(), dir, dir, func(string) string { return "" })
	require.NoError(t, err)
	require.Equal(t, "Project: Books ferries.", topic)
}
