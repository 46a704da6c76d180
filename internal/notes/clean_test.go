package notes_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/notes"
)

func TestClean(t *testing.T) {
	s := newStage(t, map[string]string{".memory/mine.md": "mine", sessionJSON: "{broken"})
	s.start("startup")
	s.fail("make", "no rule")
	before := s.read(errorsLog)
	want := []string{contextMD, findingsMD, decisionsMD, errorsLog, sessionJSON, sessionJSON + ".bad"}
	planned, err := notes.Clean(s.dir, true)
	require.NoError(t, err)
	require.Equal(t, want, planned)
	require.Equal(t, before, s.read(errorsLog), "nothing is removed")
	removed, err := notes.Clean(s.dir, false)
	require.NoError(t, err)
	require.Equal(t, want, removed)
	for _, name := range want {
		require.NoFileExists(t, filepath.Join(s.dir, name))
	}
	require.Equal(t, "mine", s.read(".memory/mine.md"))
	removed, err = notes.Clean(s.dir, false)
	require.NoError(t, err)
	require.Empty(t, removed)
	removed, err = notes.Clean(t.TempDir(), false)
	require.NoError(t, err)
	require.Empty(t, removed)
}

func TestCleanFollowsNoLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	outside := filepath.Join(t.TempDir(), "x")
	require.NoError(t, os.WriteFile(outside, []byte("x"), 0o600))
	s := newStage(t, map[string]string{".memory/x": ""})
	require.NoError(t, os.Symlink(outside, filepath.Join(s.dir, contextMD)))
	removed, err := notes.Clean(s.dir, false)
	require.NoError(t, err)
	require.Equal(t, []string{contextMD}, removed)
	require.FileExists(t, outside)
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
