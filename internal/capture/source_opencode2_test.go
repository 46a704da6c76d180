package capture_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
	"whence/internal/capture"
)

// twoDatabase opens a database with the tables of OpenCode 2, as its source defines them, as far as they are read.
func twoDatabase(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	_, err = db.Exec(`PRAGMA journal_mode = WAL;
		CREATE TABLE session_v2 (id text PRIMARY KEY, parent_id text, directory text NOT NULL, time_updated integer NOT NULL);
		CREATE TABLE session_message (id text PRIMARY KEY, session_id text NOT NULL, type text NOT NULL, seq integer NOT NULL,
			time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL)`)
	require.NoError(t, err)
	return db
}

// writes writes messages of a session, each a type and its JSON, from a sequence number on.
func writes(t *testing.T, db *sql.DB, session string, seq int, messages ...[2]string) {
	t.Helper()
	_, err := db.Exec(`INSERT OR REPLACE INTO session_v2 VALUES (?, NULL, '/home/ann/shop', ?)`, session, seq)
	require.NoError(t, err)
	for i, m := range messages {
		at := 2_000_000_000_000 + int64(seq+i)
		_, err := db.Exec(`INSERT OR REPLACE INTO session_message VALUES (?, ?, ?, ?, ?, ?, ?)`, fmt.Sprintf("msg_%s%03d", session, seq+i), session, m[0], seq+i, at, at, m[1])
		require.NoError(t, err)
	}
}

// readOn reads a session from a cursor on.
func readOn(t *testing.T, name string, from transcript.Cursor) (all []transcript.Record, at transcript.Cursor) {
	t.Helper()
	source, err := capture.OpenTranscript(t.Context(), name)
	require.NoError(t, err)
	require.NotNil(t, source)
	defer source.Close()
	at, _, err = source.Read(from, func(r transcript.Record) error {
		all = append(all, r)
		return nil
	})
	require.NoError(t, err)
	left, err := source.Unread(at)
	require.NoError(t, err)
	if len(all) == 0 {
		return all, at
	}
	unread, err := source.Unread(from)
	require.NoError(t, err)
	require.Less(t, left, unread)
	return all, at
}

var (
	asks     = [2]string{"user", `{"text":"Why does the build fail on Mondays?\n\n<hook_context>\n- /when building\n</hook_context>","time":{"created":1}}`}
	explains = [2]string{"assistant", `{"content":[{"type":"reasoning","text":"hm"},{"type":"text","text":"Let me look at what the build prints, and at the calendar that it reads."},
		{"type":"tool","id":"c1","name":"shell","state":{"status":"completed","input":{"command":"make"},"content":[{"type":"text","text":"no rule\n\n<hook_context>\nseen\n</hook_context>"}],"metadata":{"exit":2}}},
		{"type":"tool","id":"c2","name":"read","state":{"status":"error","input":{"path":"a.go"},"error":{"type":"unknown","message":"no such file"}}}],"time":{"created":2,"completed":3}}`}
	unfinished = [2]string{"assistant", `{"content":[{"type":"text","text":"The calendar of the build has no Mondays, so"}],"time":{"created":4}}`}
	finished   = [2]string{"assistant", `{"content":[{"type":"text","text":"The calendar of the build has no Mondays, so it finds no rule for them."}],"time":{"created":4,"completed":5}}`}
	idle       = [2]string{"idle", `{"outcome":"succeeded","time":{"created":6}}`}
)

// Sessions of OpenCode 2 are read as those of version 1 are, an answer when it is finished, and each once.
func TestOpenCode2(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	db := twoDatabase(t, path)
	writes(t, db, "a", 0, asks, explains, unfinished)
	name := capture.TranscriptName(path, "a")
	first, at := readOn(t, name, transcript.Cursor{})
	writes(t, db, "a", 2, finished, idle)
	rest, at := readOn(t, name, at)
	none, _ := readOn(t, name, at)
	require.Empty(t, none)

	injected := 0
	for _, r := range append(first, rest...) {
		require.Equal(t, "a", r.Session)
		require.Equal(t, "/home/ann/shop", r.Cwd)
		if r.Injected != "" {
			injected++
		}
	}
	require.Equal(t, 2, injected)
	f := &capture.Filter{}
	require.Equal(t, []string{
		"prompt Why does the build fail on Mondays?",
		"answer Let me look at what the build prints, and at the calendar that it reads.",
		"error [Error] make\nExit code 2\nno rule",
		"error [Error] Read a.go\nno such file",
		"answer The calendar of the build has no Mondays, so it finds no rule for them.",
	}, shown(storeMore(storedOf(f, first), f, rest)))

	found, skipped := capture.TranscriptsIn(t.Context(), filepath.Dir(path))
	require.Empty(t, skipped)
	require.Len(t, found, 1)
	require.Equal(t, name, found[0].Name)
}

// The reading of a session that version 1 has begun continues in the tables of version 2.
func TestOpenCode2GoesOn(t *testing.T) {
	rows, path := closedDatabase(t)
	session := rows[0].Session.ID
	name := capture.TranscriptName(path, session)
	before, at := readOn(t, name, transcript.Cursor{})
	db := twoDatabase(t, path)
	said := `{"text":"` + "copied from version 1" + `","time":{"created":1}}`
	_, err := db.Exec(`INSERT INTO session_message SELECT id, session_id, 'user', row_number() OVER (ORDER BY id), time_created, time_created, ? FROM message WHERE session_id = ?`, said, session)
	require.NoError(t, err)
	writes(t, db, session, 100, asks, finished)
	after, _ := readOn(t, name, at)
	require.NotEmpty(t, before)
	require.Len(t, after, 3)

	_, other := readOn(t, name, transcript.Cursor{})
	require.Equal(t, "msg_"+session+"101", other.Part)
}

// A database of another form is a fault, and not a session without turns.
func TestUnknownOpenCode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "opencode.db")
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec(`CREATE TABLE conversation (id text)`)
	require.NoError(t, err)
	_, err = capture.OpenTranscript(t.Context(), capture.TranscriptName(path, "a"))
	require.ErrorContains(t, err, "neither the tables of version 1 nor those of version 2, so its sessions are not captured")
	_, skipped := capture.TranscriptsIn(t.Context(), filepath.Dir(path))
	require.Len(t, skipped, 1)
}
