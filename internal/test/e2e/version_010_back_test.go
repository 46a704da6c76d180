package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// commit010 is the commit of version 0.1.0.
const commit010 = "ccfebc5"

// programs010 builds the programs of version 0.1.0.
func programs010(t *testing.T) (bin string) {
	t.Helper()
	if os.Getenv("WHENCE_LONG") == "" {
		t.Skip("builds the programs of version 0.1.0: WHENCE_LONG=1")
	}
	archive := exec.Command("git", "archive", commit010)
	archive.Dir = repotest.Root(t)
	source, err := archive.Output()
	if err != nil {
		t.Skip("the commit of version 0.1.0 is not in this clone: git fetch --unshallow")
	}
	dir, bin := t.TempDir(), t.TempDir()
	unpack := exec.Command("tar", "-x", "-C", dir)
	unpack.Stdin = bytes.NewReader(source)
	require.NoError(t, unpack.Run())
	build := exec.Command("go", "build", "-trimpath", "-tags", "urfave_cli_no_docs", "-o", bin, "./...")
	build.Dir, build.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	return bin
}

// use has all that is registered run the programs of a folder.
func (u *upgraded) use(bin string) {
	u.t.Helper()
	link := filepath.Join(u.dir, "bin")
	require.NoError(u.t, os.Remove(link))
	require.NoError(u.t, os.Symlink(bin, link))
	for i, v := range u.env {
		if path, found := strings.CutPrefix(v, "PATH="); found {
			_, rest, _ := strings.Cut(path, string(os.PathListSeparator))
			u.env[i] = "PATH=" + bin + string(os.PathListSeparator) + rest
		}
	}
}

// For a user who goes back to version 0.1.0, it refuses the store of a newer version, and loses
// nothing. After the steps of docs/upgrading.md it has the learnings, and the way back is open.
func TestBackToVersion010(t *testing.T) {
	old := programs010(t)
	u := newUpgraded(t)
	today := installed(t)
	learnings := func() int {
		return len(strings.Split(strings.TrimSpace(u.prints("project", "memory-remember", "list", "--format", "json")), "\n"))
	}
	u.prints("project", "memory-remember", "The winch of the ferry is oiled each Sunday morning")
	u.event("SessionStart", "new", map[string]any{"source": "startup"})
	u.requireStored()
	before, turns := learnings(), u.query(`SELECT count(*) FROM turns`)

	u.use(old)
	s := u.answer("project", "", "memory-remember", "list")
	require.NotZero(t, s.Status)
	require.Contains(t, s.Stderr, "it was written by a newer version: update whence")
	require.Contains(t, u.event("UserPromptSubmit", "newest", map[string]any{"prompt": "how are we mooring the ferry at pier seven?"}), "Mooring lines")
	u.event("Stop", "first", map[string]any{"transcript_path": filepath.Join(u.dir, "home", ".claude", "projects", "project", "first.jsonl")})
	require.Len(t, u.waiting(), 1)

	u.use(today)
	require.Equal(t, before, learnings())
	u.prints("project", "memory-hooks", "status")
	u.event("SessionStart", "newer", map[string]any{"source": "startup"})
	require.Empty(t, u.waiting())
	require.Equal(t, turns, u.query(`SELECT count(*) FROM turns`))

	u.write("learnings.jsonl", u.prints("project", "memory-remember", "export"))
	for _, scope := range []string{"user", "project", "local"} {
		u.prints("project", "memory-hooks", "uninstall", "--agent", "all", "--scope", scope)
	}
	u.prints("project", "memory-validate", "uninstall-git-hook")
	store, aside := filepath.Join(u.dir, filepath.FromSlash(storeFolder010)), filepath.Join(u.dir, "home", "whence-0.2.0")
	require.NoError(t, os.Rename(store, aside))
	u.use(old)
	u.prints("project", "memory-hooks", "install")
	u.prints("project", "memory-validate", "install-git-hook")
	u.prints("project", "memory-remember", "import", filepath.Join(u.dir, "learnings.jsonl"))
	require.Equal(t, before, learnings())
	require.Contains(t, u.prints("project", "memory-remember", "search", "when is the winch oiled?"), "each Sunday morning")
	u.prints("project", "memory-remember", "The galley of the ferry opens at half past six")
	u.write("learnings.jsonl", u.prints("project", "memory-remember", "export"))

	u.use(today)
	require.NoError(t, os.Rename(store, store+"-0.1.0"))
	require.NoError(t, os.Rename(aside, store))
	require.Contains(t, u.prints("project", "memory-remember", "import", filepath.Join(u.dir, "learnings.jsonl")), "Imported 1 learning")
	require.Equal(t, before+1, learnings())
}
