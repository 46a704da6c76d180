package repo_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/repo"
)

// StagedSince copes with lines that look like headers, names that git quotes, files that are new, gone, binary or
// renamed, and settings that change what git diff prints.
func TestStagedSince(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	require.NoError(t, os.Mkdir(dir, 0o755))
	git(t, dir, "init", "-q", "-b", "main")
	r, err := repo.Open(dir, dir, none)
	require.NoError(t, err)
	write(t, dir, "two words/größe.go", "-- a/x\none\n")
	write(t, dir, "moved.go", "moved\n")
	write(t, dir, "binary", "\x00\x01")
	write(t, dir, "last", "no end")
	git(t, dir, "add", ".")
	changes, err := r.StagedSince(t.Context(), "") // before the first commit
	require.NoError(t, err)
	require.Equal(t, []repo.FileChange{
		{Path: "binary"},
		{Path: "last", Added: "no end\n"},
		{Path: "moved.go", Added: "moved\n"},
		{Path: "two words/größe.go", Added: "-- a/x\none\n"},
	}, changes)
	git(t, dir, "commit", "-qm", "start")
	for _, setting := range []string{"diff.noprefix", "diff.mnemonicPrefix", "diff.renames"} {
		git(t, dir, "config", setting, "true")
	}
	git(t, dir, "config", "color.ui", "always")
	git(t, dir, "config", "grep.lineNumber", "true")
	git(t, dir, "mv", "moved.go", "\ttab\".go")
	git(t, dir, "rm", "-q", "binary")
	write(t, dir, "two words/größe.go", "++ b/x\ntwo\n")
	write(t, dir, "notes.MD", "three\n")
	git(t, dir, "add", "two words", "notes.MD")
	write(t, dir, "last", "not staged")
	for _, since := range []string{"", "main"} {
		changes, err = r.StagedSince(t.Context(), since)
		require.NoError(t, err)
		require.Equal(t, []repo.FileChange{
			{Path: "\ttab\".go", Added: "moved\n"},
			{Path: "binary"},
			{Path: "moved.go", Removed: "moved\n"},
			{Path: "notes.MD", Added: "three\n"},
			{Path: "two words/größe.go", Added: "++ b/x\ntwo\n", Removed: "-- a/x\none\n"},
		}, changes)
	}
	matches, err := r.InStagedCode(t.Context(), []string{"one", "two", "three", "end", "mov"})
	require.NoError(t, err)
	require.Equal(t, "end\ntwo\n", matches)
	matches, err = r.InStagedCode(t.Context(), []string{"three"})
	require.NoError(t, err)
	require.Empty(t, matches)
	_, err = r.ForkPoint(t.Context(), "--all")
	require.ErrorContains(t, err, `unknown revision "--all"`)
	git(t, dir, "checkout", "-q", "--orphan", "apart")
	_, err = r.ForkPoint(t.Context(), "main")
	require.ErrorContains(t, err, "no commit in common", "there is no commit yet")
	git(t, dir, "commit", "-qm", "apart")
	_, err = r.ForkPoint(t.Context(), "main")
	require.ErrorContains(t, err, "no commit in common")
}
