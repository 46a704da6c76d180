// Package transcripttest gives tests the transcripts that real agents have written.
package transcripttest

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver of OpenCode's database

	"whence/internal/test/repotest"
)

// OpenCode is the folder of the transcripts of OpenCode, which are the rows of its database.
const OpenCode = "opencode-1.18.33"

// Path returns the path of a transcript: its name is that of the agent's folder, with the version, and
// of the file.
func Path(t testing.TB, name string) string {
	t.Helper()
	return filepath.Join(repotest.Root(t), "internal", "agent", "transcript", "testdata", filepath.FromSlash(name)+".jsonl")
}

// Names returns the names of all transcripts of the agents whose folders match a pattern.
func Names(t testing.TB, pattern string) (names []string) {
	t.Helper()
	folder := filepath.Join(repotest.Root(t), "internal", "agent", "transcript", "testdata")
	paths, err := filepath.Glob(filepath.Join(folder, pattern, "*.jsonl"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		name, err := filepath.Rel(folder, path[:len(path)-len(".jsonl")])
		require.NoError(t, err)
		names = append(names, filepath.ToSlash(name))
	}
	return names
}

// Row is a row of a table of OpenCode's database, of which one is set.
type Row struct {
	Session *SessionRow `json:"session,omitempty"`
	Message *MessageRow `json:"message,omitempty"`
	Part    *PartRow    `json:"part,omitempty"`
}

// SessionRow is a session. Times are in milliseconds.
type SessionRow struct {
	ID        string `json:"id"`
	Parent    string `json:"parent_id,omitempty"`
	Directory string `json:"directory"`
	Version   string `json:"version"`
	Updated   int64  `json:"time_updated"`
}

// MessageRow is a message. Data is JSON.
type MessageRow struct {
	ID      string `json:"id"`
	Session string `json:"session_id"`
	Created int64  `json:"time_created"`
	Data    string `json:"data"`
}

// PartRow is a part of a message. Data is JSON.
type PartRow struct {
	ID      string `json:"id"`
	Message string `json:"message_id"`
	Session string `json:"session_id"`
	Created int64  `json:"time_created"`
	Data    string `json:"data"`
}

// Rows returns the rows of a transcript of OpenCode.
func Rows(t testing.TB, name string) (rows []Row) {
	t.Helper()
	src, err := os.ReadFile(Path(t, name))
	require.NoError(t, err)
	for line := range bytes.Lines(src) {
		var row Row
		require.NoError(t, json.Unmarshal(line, &row))
		rows = append(rows, row)
	}
	return rows
}

// InTime returns rows in the order in which OpenCode writes them, each as often as it does: first a
// message, then its parts, each begun and then finished, then the message again.
func InTime(t testing.TB, rows []Row) (all []Row) {
	t.Helper()
	var parts []PartRow
	messages := map[string]*MessageRow{}
	last := map[string]string{} // parts of messages
	for _, row := range rows {
		switch {
		case row.Session != nil:
			all = append(all, row)
		case row.Message != nil:
			messages[row.Message.ID] = row.Message
		default:
			parts = append(parts, *row.Part)
			last[row.Part.Message] = row.Part.ID
		}
	}
	begun := map[string]bool{}
	for _, part := range parts {
		message := *messages[part.Message]
		if !begun[message.ID] {
			begun[message.ID] = true
			message.Data = without(t, message.Data, "time")
			all = append(all, Row{Message: &message})
		}
		open := part
		open.Data = without(t, part.Data, "time", "state")
		all = append(all, Row{Part: &open}, Row{Part: &part})
		if last[message.ID] == part.ID {
			all = append(all, Row{Message: messages[part.Message]})
		}
	}
	return all
}

// without returns a JSON object without some keys.
func without(t testing.TB, src string, keys ...string) string {
	t.Helper()
	var object map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(src), &object))
	for _, key := range keys {
		delete(object, key)
	}
	out, err := json.Marshal(object)
	require.NoError(t, err)
	return string(out)
}

// Write writes rows into OpenCode's database, in place of those with the same ids, in one transaction: no reader meets a
// finished part as it was before. It makes the database.
func Write(t testing.TB, path string, rows ...Row) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec(`PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000;
		CREATE TABLE IF NOT EXISTS session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, version text NOT NULL, time_updated integer NOT NULL);
		CREATE TABLE IF NOT EXISTS message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, data text NOT NULL);
		CREATE TABLE IF NOT EXISTS part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, data text NOT NULL);`)
	require.NoError(t, err)
	tx, err := db.Begin()
	require.NoError(t, err)
	for _, row := range rows {
		switch {
		case row.Session != nil:
			s := row.Session
			_, err = tx.Exec(`INSERT OR REPLACE INTO session VALUES (?, nullif(?, ''), ?, ?, ?)`, s.ID, s.Parent, s.Directory, s.Version, s.Updated)
		case row.Message != nil:
			m := row.Message
			_, err = tx.Exec(`INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?)`, m.ID, m.Session, m.Created, m.Data)
		case row.Part != nil:
			p := row.Part
			_, err = tx.Exec(`INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?)`, p.ID, p.Message, p.Session, p.Created, p.Data)
		}
		require.NoError(t, err)
	}
	require.NoError(t, tx.Commit())
}
