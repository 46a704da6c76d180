//go:build unix

package capture_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
	"whence/internal/capture"
)

// A database that OpenCode has closed is read in a folder that cannot be written to.
func TestADatabaseInAFolderOfOthers(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root writes to every folder")
	}
	rows, path := closedDatabase(t)
	folder := filepath.Dir(path)
	require.NoError(t, os.Chmod(folder, 0o555))
	t.Cleanup(func() { _ = os.Chmod(folder, 0o755) })
	source, err := capture.OpenTranscript(t.Context(), capture.TranscriptName(path, rows[0].Session.ID))
	require.NoError(t, err)
	defer source.Close()
	read := 0
	_, _, err = source.Read(transcript.Cursor{}, func(transcript.Record) error { read++; return nil })
	require.NoError(t, err)
	require.Positive(t, read)
}
