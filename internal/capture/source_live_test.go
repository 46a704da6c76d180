package capture_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
	"whence/internal/capture"
	"whence/internal/test/transcripttest"
)

// closedDatabase writes a session of OpenCode into a database, and returns its rows and the path.
func closedDatabase(t *testing.T) (rows []transcripttest.Row, path string) {
	t.Helper()
	rows = transcripttest.InTime(t, transcripttest.Rows(t, transcripttest.OpenCode+"/resumed"))
	path = filepath.Join(t.TempDir(), "opencode.db")
	transcripttest.Write(t, path, rows...)
	return rows, path
}

// OpenCode may begin to write to its database while it is read.
func TestADatabaseThatIsInUse(t *testing.T) {
	rows, path := closedDatabase(t)
	source, err := capture.OpenTranscript(t.Context(), capture.TranscriptName(path, rows[0].Session.ID))
	require.NoError(t, err)
	defer source.Close()
	agent, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer agent.Close()
	last := len(rows) - 1
	for rows[last].Part == nil {
		last--
	}
	p := rows[last].Part
	_, err = agent.Exec(`INSERT INTO part VALUES (?, ?, ?, ?, ?)`, p.ID+"z", p.Message, p.Session, p.Created, p.Data)
	require.NoError(t, err)
	at, _, err := source.Read(transcript.Cursor{}, func(transcript.Record) error { return nil })
	require.NoError(t, err)
	require.Equal(t, p.ID+"z", at.Part)
}
