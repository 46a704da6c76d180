package capture_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/capture"
	"whence/internal/cli"
	"whence/internal/test/storetest"
)

// repositories are two repositories with a commit each, and their git directories.
func repositories(t *testing.T) (a, b string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, name := range []string{"a", "b"} {
		git(t, dir, "init", "-q", name)
		git(t, filepath.Join(dir, name), "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "x")
	}
	return filepath.Join(dir, "a"), filepath.Join(dir, "b")
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}

// projects returns the projects of the turns of a store, by text.
func projects(t *testing.T, home string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, r := range stored(t, home) {
		found[r.Text] = r.Project
	}
	return found
}

// capturedIn captures a transcript at an event in a folder.
func capturedIn(t *testing.T, cwd, transcript string) map[string]string {
	t.Helper()
	home := storetest.ConsentingHome(t)
	scope, err := cli.ScopeOf(cwd, cwd)
	require.NoError(t, err)
	e := agent.Event{Session: "s", Cwd: cwd, Transcript: transcript}
	require.NoError(t, capture.Register(t.Context(), home, e, capture.Rules{Folder: cli.Root(e.Cwd), Project: scope.Turns, Capture: true}, time.Now().Add(-time.Minute)))
	work(t, home)
	return projects(t, home)
}

// The turns of one repository are not shown in another, wherever the event occurs, and whatever git's
// variables say about the repository of the agent that has started the worker.
func TestATurnBelongsToItsRepository(t *testing.T) {
	a, b := repositories(t)
	t.Setenv("GIT_DIR", filepath.Join(a, ".git"))
	t.Setenv("GIT_WORK_TREE", a)
	plain, name := t.TempDir(), filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, os.WriteFile(name, []byte(saidIn(a, "1", "the code name is bluebird")+saidIn(b, "2", "the code name is redwing")+
		saidIn(plain, "3", "the code name is nowhere")+saidIn("/gone", "4", "the code name is gone now")+saidIn("", "5", "the code name is unknown")), 0o600))
	require.Equal(t, map[string]string{
		"the code name is bluebird": filepath.Join(a, ".git"), "the code name is redwing": filepath.Join(b, ".git"), "the code name is nowhere": plain,
		"the code name is gone now": filepath.Join(b, ".git"), "the code name is unknown": filepath.Join(b, ".git"),
	}, capturedIn(t, b, name))
}

// A worktree that is gone when the worker comes was one of its repository when the event came.
func TestAWorktreeThatIsGone(t *testing.T) {
	a, _ := repositories(t)
	tree, home := filepath.Join(filepath.Dir(a), "tree"), storetest.ConsentingHome(t)
	git(t, a, "worktree", "add", "-q", tree)
	name := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, os.WriteFile(name, []byte(saidIn(tree, "1", "the code name is bluebird")), 0o600))
	scope, err := cli.ScopeOf(tree, tree)
	require.NoError(t, err)
	e := agent.Event{Session: "s", Cwd: tree, Transcript: name}
	require.NoError(t, capture.Register(t.Context(), home, e, capture.Rules{Folder: cli.Root(e.Cwd), Project: scope.Turns, Capture: true}, time.Now().Add(-time.Minute)))
	git(t, a, "worktree", "remove", "--force", tree)
	work(t, home)
	require.Equal(t, map[string]string{"the code name is bluebird": filepath.Join(a, ".git")}, projects(t, home))
}

// A transcript that comes with a repository makes turns of that repository alone: agents can be made to keep
// transcripts in it.
func TestATranscriptInAWorkTree(t *testing.T) {
	a, b := repositories(t)
	name := filepath.Join(a, "chats", "s.jsonl")
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
	require.NoError(t, os.WriteFile(name, []byte(saidIn(a, "1", "the code name is bluebird")+saidIn(b, "2", "the code name is forged")), 0o600))
	for text, project := range capturedIn(t, a, name) {
		require.Equal(t, filepath.Join(a, ".git"), project, text)
	}
}
