package hooks_test

import (
	"database/sql"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/hooks"
	"whence/internal/cli"
	"whence/internal/store"
)

// Decisions do not depend on a store. Without one, or without one that counts, each event is answered, and nothing is
// written.
func TestEventsWithoutAStore(t *testing.T) {
	dir, _ := ferry(t)
	before := files(t, dir)
	elsewhere := t.TempDir()
	for name, variables := range map[string]map[string]string{
		"relative":       {"WHENCE_HOME": "store"},
		"never typed":    {"WHENCE_HOME": filepath.Join(elsewhere, "store")},
		"another home":   {"HOME": elsewhere},
		"in a work tree": {"WHENCE_HOME": filepath.Join(dir, "store")},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			for _, event := range []string{"SessionStart", "UserPromptSubmit", "PostToolUseFailure", "Stop", "SessionEnd"} {
				input := `{"session_id":"s","cwd":"` + filepath.ToSlash(dir) + `","source":"startup","prompt":"A retry of a payment was charged twice. How do we take and retry payments?","last_assistant_message":"done","transcript_path":"` + filepath.ToSlash(filepath.Join(elsewhere, "t.jsonl")) + `"}`
				out.Reset()
				require.Zero(t, hooks.Main(cli.Env{
					Args: []string{"memory-hooks", event}, Dir: dir, Stdin: strings.NewReader(input), Stdout: &out, Stderr: io.Discard,
					Getenv: func(variable string) string { return variables[variable] }, Deadline: time.Minute,
				}))
				if event == "UserPromptSubmit" {
					require.Contains(t, out.String(), "/when retrying a charge safely")
				}
			}
			require.Equal(t, before, files(t, dir))
			left, err := os.ReadDir(elsewhere)
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

// Decisions do not wait for a store that another program has locked as a whole.
func TestEventsWithALockedStore(t *testing.T) {
	dir, home := ferry(t)
	db, err := sql.Open("sqlite", filepath.Join(home, "memory.db")+"?_pragma=locking_mode(EXCLUSIVE)")
	require.NoError(t, err)
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, statement := range []string{"BEGIN EXCLUSIVE", "CREATE TABLE held (x)"} {
		_, err := db.Exec(statement)
		require.NoError(t, err)
	}
	for event, want := range map[string]string{"SessionStart": "Tip: Use", "UserPromptSubmit": "/when retrying a charge safely"} {
		input := `{"session_id":"s","cwd":"` + filepath.ToSlash(dir) + `","source":"startup","transcript_path":"` + filepath.ToSlash(filepath.Join(home, "t.jsonl")) + `",` + payments + `}`
		out := askWithin(t, store.BusyTimeout/2, dir, home, event, []byte(input))
		require.Contains(t, out, want, event)
	}
	log, err := os.ReadFile(filepath.Join(home, "hooks.log"))
	require.NoError(t, err)
	require.Contains(t, string(log), "database is locked")
}
