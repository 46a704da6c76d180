package capture_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
	"whence/internal/capture"
	"whence/internal/test/transcripttest"
)

// recordCounts are the records of a transcript by what is in them.
type recordCounts struct {
	prompts, answers, uses, results, failed, hooks int
	side                                           int // of these, those of subagents
}

// What real agents have written, counted by hand in the files. A prompt is any text in the user's
// name, also the text with which a hook keeps the agent from stopping, if the agent records it like that.
var byHand = map[string]recordCounts{
	"codex-0.169.0/resumed":   {prompts: 2, answers: 2, uses: 5, results: 5, failed: 1},
	"codex-0.169.0/hooks":     {prompts: 1, answers: 2, uses: 6, results: 6, failed: 2, hooks: 3},
	"codex-0.169.0/compacted": {prompts: 2, answers: 2, uses: 2, results: 2},
	"codex-0.169.0/served":    {prompts: 1, answers: 1, uses: 1, results: 1},
	"codex-0.169.0/delegated": {prompts: 1, answers: 1, uses: 2, results: 2},
	"codex-0.169.0/subagent":  {answers: 1, uses: 1, results: 1, side: 3},

	"gemini-cli-0.61.0/resumed":   {prompts: 2, answers: 2, uses: 5, results: 5, failed: 1},
	"gemini-cli-0.61.0/hooks":     {prompts: 2, answers: 2, uses: 6, results: 6, failed: 2, hooks: 3},
	"gemini-cli-0.61.0/compacted": {prompts: 2, answers: 2, uses: 2, results: 2},
	"gemini-cli-0.61.0/served":    {prompts: 1, answers: 1, uses: 1, results: 1},
	"gemini-cli-0.61.0/delegated": {prompts: 1, answers: 1, uses: 1, results: 1},
	"gemini-cli-0.61.0/subagent":  {prompts: 1, answers: 1, uses: 2, results: 1, side: 5},

	"copilot-1.0.102/resumed":   {prompts: 2, answers: 2, uses: 5, results: 5, failed: 1},
	"copilot-1.0.102/hooks":     {prompts: 2, answers: 2, uses: 6, results: 6, failed: 2, hooks: 3},
	"copilot-1.0.102/compacted": {prompts: 2, answers: 2, uses: 2, results: 2},
	"copilot-1.0.102/served":    {prompts: 1, answers: 1, uses: 1, results: 1},
	"copilot-1.0.102/delegated": {prompts: 1, answers: 2, uses: 2, results: 2, side: 3},

	"opencode-1.18.33/resumed":   {prompts: 2, answers: 2, uses: 5, results: 5, failed: 1},
	"opencode-1.18.33/hooks":     {prompts: 1, answers: 1, uses: 6, results: 6, failed: 2, hooks: 3},
	"opencode-1.18.33/compacted": {prompts: 1, answers: 1, uses: 1, results: 1},
	"opencode-1.18.33/served":    {prompts: 1, answers: 1, uses: 1, results: 1},
	"opencode-1.18.33/delegated": {prompts: 2, answers: 2, uses: 2, results: 2, side: 4},
}

// names returns the names of the sessions in a transcript of testdata, which are several in a database.
func names(t *testing.T, name string) (all []string) {
	t.Helper()
	if !strings.HasPrefix(name, transcripttest.OpenCode) {
		return []string{transcripttest.Path(t, name)}
	}
	path := filepath.Join(t.TempDir(), "opencode.db")
	rows := transcripttest.Rows(t, name)
	transcripttest.Write(t, path, rows...)
	for _, row := range rows {
		if row.Session != nil {
			all = append(all, capture.TranscriptName(path, row.Session.ID))
		}
	}
	return all
}

// read returns the records after a cursor.
func readRecords(t *testing.T, name string, from transcript.Cursor) (records []transcript.Record, to transcript.Cursor) {
	t.Helper()
	source, err := capture.OpenTranscript(t.Context(), name)
	require.NoError(t, err)
	require.NotNil(t, source, name)
	defer source.Close()
	to, _, err = source.Read(from, func(r transcript.Record) error {
		records = append(records, r)
		return nil
	})
	require.NoError(t, err)
	return records, to
}

func TestTranscriptsOfAgents(t *testing.T) {
	all := append(append(transcripttest.Names(t, "co*"), transcripttest.Names(t, "gemini*")...), transcripttest.Names(t, "opencode*")...)
	require.ElementsMatch(t, slices.Collect(maps.Keys(byHand)), all)
	for name, want := range byHand {
		t.Run(name, func(t *testing.T) {
			var got recordCounts
			for _, session := range names(t, name) {
				records, _ := readRecords(t, session, transcript.Cursor{})
				got.sum(t, records)
				for _, r := range records {
					require.Equal(t, "/home/ann/shop", r.Cwd)
					require.NotEmpty(t, r.Session)
					require.False(t, r.At.IsZero())
				}
			}
			require.Equal(t, want, got)
		})
	}
}

// All transcripts below a folder are found, also those in a database.
func TestIn(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"sessions/2026/rollout-a.jsonl", "session-state/b/events.jsonl", "notes.txt"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte("{}\n"), 0o600))
	}
	rows := transcripttest.Rows(t, transcripttest.OpenCode+"/delegated")
	transcripttest.Write(t, filepath.Join(dir, "opencode.db"), rows...)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "other.db"), []byte("no database"), 0o600))
	all, skipped := capture.TranscriptsIn(t.Context(), dir)
	require.Len(t, skipped, 1)
	var found []string
	for _, f := range all {
		name, err := filepath.Rel(dir, f.Name)
		require.NoError(t, err)
		found = append(found, filepath.ToSlash(name))
		require.False(t, f.Written.IsZero())
	}
	require.ElementsMatch(t, []string{"sessions/2026/rollout-a.jsonl", "session-state/b/events.jsonl", "opencode.db#" + rows[0].Session.ID, "opencode.db#" + rows[1].Session.ID}, found)
	all, skipped = capture.TranscriptsIn(t.Context(), filepath.Join(dir, "none"))
	require.Empty(t, all)
	require.Empty(t, skipped)
}

// A folder may be named like a session in a database.
func TestAFolderNamedLikeASession(t *testing.T) {
	rows, path := closedDatabase(t)
	folder := filepath.Join(t.TempDir(), "old.db#1")
	require.NoError(t, os.Mkdir(folder, 0o700))
	database, lines := filepath.Join(folder, "opencode.db"), filepath.Join(folder, "s.jsonl")
	require.NoError(t, os.Rename(path, database))
	require.NoError(t, os.WriteFile(lines, []byte(say("a", retry)), 0o600))
	for _, name := range []string{capture.TranscriptName(database, rows[0].Session.ID), lines} {
		source, err := capture.OpenTranscript(t.Context(), name)
		require.NoError(t, err)
		require.NotNil(t, source, name)
		require.NoError(t, source.Close())
	}
}

// sum adds up what is in the records of a session.
func (c *recordCounts) sum(t *testing.T, records []transcript.Record) {
	t.Helper()
	for _, r := range records {
		if r.Injected != "" {
			require.Equal(t, transcript.Attachment, r.Type)
			c.hooks++
		}
		if r.Meta || r.Summary {
			continue
		}
		hasText := false
		for _, b := range r.Blocks {
			switch b.Kind {
			case transcript.Text:
				hasText = true
				continue
			case transcript.Use:
				c.uses++
			case transcript.Result:
				c.results++
				if b.Error {
					c.failed++
				}
			}
			require.NotEmpty(t, b.Tool)
			if r.Sidechain {
				c.side++
			}
		}
		switch {
		case !hasText:
			continue
		case r.Type == transcript.User:
			c.prompts++
		case r.Type == transcript.Assistant:
			c.answers++
		}
		if r.Sidechain {
			c.side++
		}
	}
}
