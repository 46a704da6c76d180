package notes_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/notes"
)

// written is a project whose notes hold something, and a file of the person.
func written(t *testing.T) *stage {
	s := newStage(t, map[string]string{
		".memory/mine.md": "mine",
		contextMD:         "# Context\n\nBuild it.\n- 2025-11-01 Task: an old one\n",
		decisionsMD:       "# Decisions\r\n- no date\r\n- 2025-11-01 old\r\n- 2025-11-02 old, with more\r\n  by a person\r\n- 2026-01-01 new\r\n- 2025-12-03 the day itself",
		errorsLog:         "by hand\n[2025-11-01 10:00:00Z] Attempt 1: make: no rule\n    output\nby hand too\n[2026-01-01 10:00:00Z] Attempt 2: make: no rule\n    output\n",
		sessionJSON:       `{"sessions":[{"sessionId":"old","lastActive":"2025-11-01T00:00:00Z"}],"currentPhase":"Build"}`,
	})
	s.use()
	return s
}

func TestCleanAll(t *testing.T) {
	s := written(t)
	before := s.read(decisionsMD)
	planned, err := notes.Clean(context.Background(), s.dir, time.Time{}, true)
	require.NoError(t, err)
	require.Equal(t, before, s.read(decisionsMD), "nothing is written")
	done, err := notes.Clean(context.Background(), s.dir, time.Time{}, false)
	require.NoError(t, err)
	require.Equal(t, planned, done)
	require.Len(t, done, 4)
	require.Equal(t, "mine", s.read(".memory/mine.md"))
	require.Equal(t, before, s.read(notes.Attic+"/decisions.md"))
	for _, name := range []string{contextMD, decisionsMD, errorsLog, sessionJSON} {
		require.NoFileExists(t, filepath.Join(s.dir, name))
	}
	again, err := notes.Clean(context.Background(), s.dir, time.Time{}, false)
	require.NoError(t, err)
	require.Empty(t, again)
	require.Equal(t, before, s.read(notes.Attic+"/decisions.md"), "nothing was cleaned, nothing goes")
	s.start("startup")
	require.NoError(t, os.Remove(filepath.Join(s.dir, errorsLog)))
	_, err = notes.Clean(context.Background(), s.dir, time.Time{}, false)
	require.NoError(t, err)
	require.Equal(t, "# Decisions\n", s.read(notes.Attic+"/decisions.md"))
	require.NoFileExists(t, filepath.Join(s.dir, notes.Attic, "errors.log"), "of the cleaning before")
}

func TestCleanWhatIsOld(t *testing.T) {
	s := written(t)
	day := time.Date(2025, 12, 3, 15, 0, 0, 0, time.UTC)
	done, err := notes.Clean(context.Background(), s.dir, day, false)
	require.NoError(t, err)
	require.Equal(t, notes.Removed{Name: decisionsMD, Lines: 1}, done[1])
	require.Equal(t, "# Context\n\nBuild it.\n", s.read(contextMD))
	require.Equal(t, "# Decisions\r\n- no date\r\n- 2025-11-02 old, with more\r\n  by a person\r\n- 2026-01-01 new\r\n- 2025-12-03 the day itself", s.read(decisionsMD))
	require.Equal(t, "by hand\nby hand too\n[2026-01-01 10:00:00Z] Attempt 2: make: no rule\n    output\n", s.read(errorsLog))
	require.Equal(t, "[2025-11-01 10:00:00Z] Attempt 1: make: no rule\n    output\n", s.read(notes.Attic+"/errors.log"))
	all := sessionFields(s)
	require.Len(t, all.Sessions, 1)
	require.Equal(t, "Build", all.CurrentPhase)
	done, err = notes.Clean(context.Background(), s.dir, day, false)
	require.NoError(t, err)
	require.Empty(t, done)
}

func TestCleanNothing(t *testing.T) {
	done, err := notes.Clean(context.Background(), t.TempDir(), time.Time{}, false)
	require.NoError(t, err)
	require.Empty(t, done)
}

func TestCleanLeadsNowhere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	s, outside := written(t), t.TempDir()
	require.NoError(t, os.Symlink(outside, filepath.Join(s.dir, notes.Attic)))
	before := s.read(decisionsMD)
	_, err := notes.Clean(context.Background(), s.dir, time.Time{}, false)
	require.Error(t, err)
	require.Equal(t, before, s.read(decisionsMD))
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Empty(t, entries)
}

func TestSummary(t *testing.T) {
	s := written(t)
	s.fail("go vet", "exit status 1: undefined: x")
	s.fail("go vet", "exit status 1: undefined: x")
	s.fail("ls", "no such file")
	s.run("ls")
	got, err := notes.Summarise(s.dir)
	require.NoError(t, err)
	require.Equal(t, notes.Summary{
		Decisions: 5, LastDecisions: []string{"2025-12-03 the day itself", "2026-01-01 new", "2025-11-02 old, with more by a person", "2025-11-01 old", "no date"},
		LastFindings: nil, Failures: 5, Sessions: 2, ToolCalls: 5,
		Open: []string{"[2026-01-02 15:04:05Z] Attempt 2: go vet: exit status 1: undefined: x", "[2026-01-01 10:00:00Z] Attempt 2: make: no rule"},
	}, got)
	empty, err := notes.Summarise(t.TempDir())
	require.NoError(t, err)
	require.Equal(t, notes.Summary{}, empty)
	s.write(sessionJSON, "{")
	_, err = notes.Summarise(s.dir)
	require.ErrorContains(t, err, "damaged")
}

func TestShow(t *testing.T) {
	s := newStage(t, map[string]string{contextMD: "a\x1b[31mb\r\n"})
	text, err := notes.Show(s.dir, "context")
	require.NoError(t, err)
	require.Equal(t, `a\x1b[31mb`, text)
	for _, kind := range notes.Kinds[1:] {
		text, err := notes.Show(s.dir, kind)
		require.NoError(t, err)
		require.Empty(t, text)
	}
}
