package hooks_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/test/storetest"
)

// stops makes an agent stop in a folder in which no worker can be started.
func stops(t *testing.T, dir, home, uuid, text string) {
	t.Helper()
	transcript := filepath.Join(t.TempDir(), uuid+".jsonl")
	line, err := json.Marshal(map[string]any{"type": "user", "uuid": uuid, "sessionId": uuid, "cwd": dir, "message": map[string]string{"content": text}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(transcript, append(line, '\n'), 0o600))
	t.Setenv("PATH", filepath.Dir(transcript)) // no memory-remember is there
	input, err := json.Marshal(map[string]string{"session_id": uuid, "cwd": dir, "transcript_path": transcript})
	require.NoError(t, err)
	require.Empty(t, ask(t, dir, home, "Stop", input))
}

// projectsOf returns what the turns of a store belong to, by their texts.
func projectsOf(t *testing.T, home string) map[string]string {
	t.Helper()
	readOn(t, home)
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

// What is said while capture is off is not stored later either, even if capture is on again when the next worker runs.
func TestCaptureThatIsOffAtTheEvent(t *testing.T) {
	dir, home := t.TempDir(), storetest.ConsentingHome(t)
	set := func(on bool) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, config.ProjectFile), fmt.Appendf(nil, "memory_turn_capture: %t\n", on), 0o600))
	}
	set(false)
	stops(t, dir, home, "off", "said while it was off, and to be kept nowhere")
	set(true)
	stops(t, dir, home, "on", "said while it was on, and to be kept")
	require.Equal(t, map[string]string{"said while it was on, and to be kept": dir}, projectsOf(t, home))
}

// What is said in a worktree belongs to its repository, even if the worktree is deleted before a worker runs.
func TestAWorktreeThatIsGoneBeforeTheWorkerComes(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = top
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	git("init", "-q", "a")
	git("-C", "a", "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "x")
	git("-C", "a", "worktree", "add", "-q", filepath.Join(top, "tree"))
	home, path := storetest.ConsentingHome(t), os.Getenv("PATH")
	stops(t, filepath.Join(top, "tree"), home, "1", "the code name is bluebird")
	t.Setenv("PATH", path)
	git("-C", "a", "worktree", "remove", "--force", filepath.Join(top, "tree"))
	require.Equal(t, map[string]string{"the code name is bluebird": filepath.Join(top, "a", ".git")}, projectsOf(t, home))
}

// Faulty settings that have nothing to do with capture do not prevent it. What is said while it is not known whether it
// may be captured is never stored.
func TestSettingsThatCannotBeUsedAtAStop(t *testing.T) {
	dir, home := t.TempDir(), storetest.ConsentingHome(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, config.ProjectFile), []byte("no such key: 1\n"), 0o600))
	stops(t, dir, home, "1", "said while the settings were wrong")
	require.NoError(t, os.WriteFile(filepath.Join(dir, config.ProjectFile), []byte("memory_turn_capture: never\n"), 0o600))
	stops(t, dir, home, "2", "said while the settings did not say whether to capture it")
	require.NoError(t, os.Remove(filepath.Join(dir, config.ProjectFile)))
	stops(t, dir, home, "3", "said when they were gone")
	known := projectsOf(t, home)
	require.Contains(t, known, "said while the settings were wrong")
	require.Contains(t, known, "said when they were gone")
	require.NotContains(t, known, "said while the settings did not say whether to capture it")
}
