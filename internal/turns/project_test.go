package turns_test

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/team"
	"whence/internal/test/repotest"
	"whence/internal/turns"
)

// saidIn is the line of a prompt that was typed in a folder.
func saidIn(cwd, uuid, text string) string {
	return fmt.Sprintf(`{"type":"user","uuid":%q,"sessionId":"s","cwd":%q,"message":{"content":%q}}`, uuid, cwd, text) + "\n"
}

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
	db, err := sql.Open("sqlite", filepath.Join(home, "memory.db"))
	require.NoError(t, err)
	defer db.Close()
	rows, err := db.Query(`SELECT text, project FROM turns`)
	require.NoError(t, err)
	defer rows.Close()
	found := map[string]string{}
	for rows.Next() {
		var text, project string
		require.NoError(t, rows.Scan(&text, &project))
		found[text] = project
	}
	require.NoError(t, rows.Err())
	return found
}

// The turns of one repository are not shown in another, wherever the event occurs, and whatever
// git's variables say about the repository of the agent that has started the worker.
func TestATurnBelongsToItsRepository(t *testing.T) {
	a, b := repositories(t)
	plain := t.TempDir()
	home, name := repotest.Home(t), filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, os.WriteFile(name, []byte(saidIn(a, "1", "the code name is bluebird")+saidIn(b, "2", "the code name is redwing")+
		saidIn(plain, "3", "the code name is nowhere")+saidIn("/gone", "4", "the code name is gone now")), 0o600))
	j := job(name)
	j.Cwd = b
	require.NoError(t, turns.AddJob(home, j))
	_, err := turns.Work(t.Context(), home, func(name string) string {
		return map[string]string{"GIT_DIR": filepath.Join(a, ".git"), "GIT_WORK_TREE": a}[name]
	})
	require.NoError(t, err)
	require.Equal(t, map[string]string{
		"the code name is bluebird": filepath.Join(a, ".git"), "the code name is redwing": filepath.Join(b, ".git"),
		"the code name is nowhere": filepath.Join(b, ".git"), "the code name is gone now": filepath.Join(b, ".git"),
	}, projects(t, home))
}

// A worktree that is gone when the worker comes was one of its repository when the event came.
func TestAWorktreeThatIsGone(t *testing.T) {
	a, _ := repositories(t)
	tree := filepath.Join(filepath.Dir(a), "tree")
	git(t, a, "worktree", "add", "-q", tree)
	home, name := repotest.Home(t), filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, os.WriteFile(name, []byte(saidIn(tree, "1", "the code name is bluebird")), 0o600))
	j := job(name)
	j.Cwd, j.Project = tree, team.TurnScope(tree, func(string) string { return "" })
	require.NoError(t, turns.AddJob(home, j))
	git(t, a, "worktree", "remove", "--force", tree)
	_, err := attempt(t, home)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"the code name is bluebird": filepath.Join(a, ".git")}, projects(t, home))
}

// What is skipped is not stored later either.
func TestWhatIsSkippedIsNeverKept(t *testing.T) {
	home, name := repotest.Home(t), filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, os.WriteFile(name, []byte(say("1", "said while it was switched off")), 0o600))
	j := job(name)
	j.Skip, j.Answer = true, "an answer that is long enough to be kept if it were to be kept at all"
	require.NoError(t, turns.AddJob(home, j))
	_, err := attempt(t, home)
	require.NoError(t, err)
	requireTexts(t, home)
	file, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString(say("2", "said when it was on again"))
	require.NoError(t, err)
	require.NoError(t, file.Close())
	require.NoError(t, turns.AddJob(home, turns.Job{Session: "s", Cwd: filepath.Dir(name), Transcript: name, At: time.Now()}))
	_, err = attempt(t, home)
	require.NoError(t, err)
	requireTexts(t, home, "said when it was on again")
	require.NoError(t, os.WriteFile(name, []byte(say("0", "said before all of it")+say("1", "said while it was switched off")), 0o600)) // written anew
	require.NoError(t, turns.AddJob(home, job(name)))
	_, err = attempt(t, home)
	require.NoError(t, err)
	requireTexts(t, home, "said when it was on again", "said before all of it")
}

// A transcript that a repository brings speaks for that repository alone: agents can be made to look for
// transcripts in it.
func TestATranscriptInAWorkTree(t *testing.T) {
	a, b := repositories(t)
	home, name := repotest.Home(t), filepath.Join(a, "chats", "s.jsonl")
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
	require.NoError(t, os.WriteFile(name, []byte(saidIn(a, "1", "the code name is bluebird")+saidIn(b, "2", "the code name is forged")), 0o600))
	j := job(name)
	j.Cwd = a
	require.NoError(t, turns.AddJob(home, j))
	require.Equal(t, 1, work(t, home).Jobs)
	for text, project := range projects(t, home) {
		require.Equal(t, filepath.Join(a, ".git"), project, text)
	}
}
