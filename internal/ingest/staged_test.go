package ingest_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/ingest"
	"whence/internal/learning"
	"whence/internal/store"
)

// stagedWorld is a repository in which an earlier tool has left files, by name.
func stagedWorld(t *testing.T, staged map[string]string) (root, home string) {
	t.Helper()
	root, home = t.TempDir(), t.TempDir()
	require.NoError(t, exec.Command("git", "init", "-q", root).Run())
	for name, text := range staged {
		stage(t, root, name, text)
	}
	return root, home
}

func stage(t *testing.T, root, name, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".wt-tools"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, ".wt-tools", name), []byte(text), 0o644))
}

// stop has an agent stop in a folder, and what that brings done.
func stop(t *testing.T, home, cwd string) ingest.Done {
	t.Helper()
	require.NoError(t, ingest.Add(home, ingest.Job{Session: "s", Cwd: cwd, At: time.Now()}))
	return work(t, home)
}

// learned are all learnings of a store, oldest first.
func learned(t *testing.T, home string) []learning.Learning {
	t.Helper()
	s, err := store.OpenReadOnly(context.Background(), home)
	require.NoError(t, err)
	defer s.Close()
	all, err := s.List(t.Context(), store.Filter{Everywhere: true})
	require.NoError(t, err)
	slices.Reverse(all)
	return all
}

func left(t *testing.T, root string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, ".wt-tools"))
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestStagedFilesAreImported(t *testing.T) {
	root, home := stagedWorld(t, map[string]string{
		".staged-extract-one":    "#CHANGE:fix-auth\r\nLearning|lock,auth|Token refresh must hold the lock | even while writing\r\n Decision | preference | User wants tabs\nDecision|preference|no\nNONE\n\nno pipes here\nObservation|x|an unsupported type of line\nLearning|t\n",
		".staged-extract-one.ts": "1771000000",
		".staged-extract-two":    "Convention|api|List endpoints return data and total\nCheatSheet|test|Run tests with PYTHONPATH=. pytest\nContext||bytes \xff that are none\nLearning|x|the key is ghp_" + strings.Repeat("a1B2", 9) + " as before\nLearning|x|ghp_" + strings.Repeat("a1B2", 9) + "\n",
		"other":                  "Learning|t|nobody has staged this one here",
		".staged-extract":        "Learning|t|nobody has staged this one neither",
	})
	sub := filepath.Join(root, "cmd", "ferry")
	require.NoError(t, os.MkdirAll(sub, 0o755))
	done := stop(t, home, sub)
	require.Equal(t, []any{1, 6}, []any{done.Jobs, done.Imported})
	require.Len(t, done.Remarks, 2)
	require.Contains(t, done.Remarks[0], "2 learnings imported from .staged-extract-one in "+filepath.Join(root, ".wt-tools"))
	require.Equal(t, []string{".staged-extract", "other"}, left(t, root))

	project, err := filepath.EvalSymlinks(filepath.Join(root, ".git"))
	require.NoError(t, err)
	all := learned(t, home)
	texts := map[string]learning.Learning{}
	for _, l := range all {
		require.NoError(t, l.Validate())
		require.Equal(t, []any{learning.Import, learning.Low, project, 1}, []any{l.Source, l.Confidence, l.Project, l.Observations}, l.Description)
		texts[l.Description] = l
	}
	require.Len(t, texts, 6)
	for text, keyword := range map[string]string{
		"Token refresh must hold the lock | even while writing": "auth", "preference: User wants tabs": "preference", "List endpoints return data and total": "api",
		"Run tests with PYTHONPATH=. pytest": "pytest", "bytes \ufffd that are none": "none", "the key is [redacted: GitHub token] as before": "x",
	} {
		l, found := texts[text]
		require.True(t, found, text)
		if keyword != "none" {
			require.Contains(t, l.Keywords, keyword)
		}
	}
	require.Contains(t, texts["preference: User wants tabs"].Reasoning, "fix-auth")

	require.Equal(t, ingest.Done{Jobs: 1}, stop(t, home, root), "once")
	require.Equal(t, all, learned(t, home))
}

// As many are imported of a file as the earlier tool would have.
func TestOfAStagedFileSomeAreImported(t *testing.T) {
	var text strings.Builder
	for i := range 9 {
		for _, kind := range []string{"Learning", "Decision", "Convention", "CheatSheet"} {
			fmt.Fprintf(&text, "%s|t|the %s of number %d is long enough\n", kind, kind, i)
		}
	}
	root, home := stagedWorld(t, map[string]string{".staged-extract-a": text.String(), ".staged-extract-b": text.String()})
	require.Equal(t, 5+2+2, stop(t, home, root).Imported)
	require.Empty(t, left(t, root))
}

// What has been stored is removed; a worker that is killed between comes to the same when it
// begins again, and what was staged anew meanwhile is imported.
func TestStagedFilesAreRemovedWhenTheyAreStored(t *testing.T) {
	const one = "Learning|t|one single insight that was staged\n"
	root, home := stagedWorld(t, map[string]string{".staged-extract-a": one})
	require.NoError(t, os.WriteFile(filepath.Join(home, "memory.db"), []byte(strings.Repeat("no database ", 100)), 0o600))
	require.NoError(t, ingest.Add(home, ingest.Job{Session: "s", Cwd: root}))
	_, err := attempt(t, home)
	require.Error(t, err)
	require.Equal(t, []string{".staged-extract-a"}, left(t, root), "nothing is removed that is not stored")
	require.NoError(t, os.Remove(filepath.Join(home, "memory.db")))
	require.Equal(t, 1, work(t, home).Imported)
	require.Empty(t, left(t, root))

	stage(t, root, ".staged-extract-a", one) // as if it had not come to its removal
	done := stop(t, home, root)
	require.Zero(t, done.Imported)
	require.Empty(t, left(t, root))
	require.Equal(t, 1, learned(t, home)[0].Observations)
	stage(t, root, ".staged-extract-a", "Learning|t|another insight that was staged later\n")
	require.Equal(t, 1, stop(t, home, root).Imported)
}

// Nothing leads out of the repository, and what is no such file is told and stays.
func TestWhatIsNoStagedFile(t *testing.T) {
	outside := filepath.Join(t.TempDir(), ".staged-extract-x")
	require.NoError(t, os.WriteFile(outside, []byte("Learning|t|this one lies in another place\n"), 0o600))
	root, home := stagedWorld(t, map[string]string{".staged-extract-long": strings.Repeat("Learning|t|far too long a file to be one\n", 5000)})
	require.NoError(t, os.Mkdir(filepath.Join(root, ".wt-tools", ".staged-extract-dir"), 0o755))
	want := []string{".staged-extract-dir", ".staged-extract-long"}
	if err := os.Symlink(outside, filepath.Join(root, ".wt-tools", ".staged-extract-link")); err == nil {
		want = []string{".staged-extract-dir", ".staged-extract-link", ".staged-extract-long"}
	}
	if runtime.GOOS != "windows" {
		name := filepath.Join(root, ".wt-tools", ".staged-extract-pipe")
		require.NoError(t, os.WriteFile(name, nil, 0o600))
		pipe(t, name)
		want = append(want, ".staged-extract-pipe")
	}
	done := stop(t, home, root)
	require.Zero(t, done.Imported)
	require.Len(t, done.Remarks, len(want))
	require.Equal(t, want, left(t, root))
	require.FileExists(t, outside)

	linked, home := stagedWorld(t, nil)
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(linked, ".wt-tools")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	require.Equal(t, ingest.Done{Jobs: 1}, stop(t, home, linked))
	require.FileExists(t, outside)
}
