package e2e

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	_ "whence/internal/store" // the driver of SQLite
	"whence/internal/test/repotest"
)

// A program refuses what a newer version has left. It says which file it is, which versions, and what
// to do; it changes no byte of the file, and events go on.
func TestFilesOfANewerVersion(t *testing.T) {
	const store, update = "home/.local/share/whence/", "newer version: update whence"
	write := func(text string) func(t *testing.T, name string) {
		return func(t *testing.T, name string) { require.NoError(t, os.WriteFile(name, []byte(text), 0o600)) }
	}
	for name, c := range map[string]struct {
		file    string
		change  func(t *testing.T, name string)
		command []string
		says    []string
	}{
		"store": {store + "memory.db", setSchema, []string{"memory-remember", "list"},
			[]string{"/memory.db", update, "it was written by a newer version: update whence"}},
		"store, writing": {store + "memory.db", setSchema, []string{"memory-remember", "the harbour master answers on channel nine"},
			[]string{"/memory.db", update, "it was written by a newer version: update whence"}},
		"settings of the user": {store + "settings.yaml", write("memory_dreams: true\n"), []string{"memory-hooks", "doctor"},
			[]string{"/settings.yaml:1", `unknown key "memory_dreams"`}},
		"settings of a repository": {"user/.whence.yaml", write("memory_dreams: true\n"), []string{"memory-validate"},
			[]string{".whence.yaml:1", `unknown key "memory_dreams"`}},
		"exported learnings": {"exported.jsonl", write(`{"description": "The harbour master answers on channel nine", "mood": "calm"}` + "\n"), []string{"memory-remember", "import", "../exported.jsonl"},
			[]string{"exported.jsonl:1", `unknown field "mood"`}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSandbox(t, installed(t))
			s.user()
			s.run("user", "memory-remember", "the tide gauge at pier seven is two hours late")
			file := filepath.Join(s.dir, filepath.FromSlash(c.file))
			c.change(t, file)
			if found, _ := filepath.Glob(file); len(found) > 0 {
				file = found[0]
			}
			before, err := os.ReadFile(file)
			require.NoError(t, err)

			out, err := s.try("user", c.command[0], c.command[1:]...)
			require.Error(t, err, out)
			for _, part := range c.says {
				require.Contains(t, out, part)
			}
			workers := repotest.NewDescendants(t)
			for _, event := range []string{"SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"} {
				src, err := json.Marshal(map[string]any{"session_id": "new", "cwd": filepath.Join(s.dir, "user"), "hook_event_name": event, "prompt": "how are we mooring the ferry at pier seven?", "source": "startup"})
				require.NoError(t, err)
				cmd := exec.Command(s.program("memory-hooks"), event)
				cmd.Dir, cmd.Env, cmd.Stdin = filepath.Join(s.dir, "user"), s.env, bytes.NewReader(src)
				workers.Of(cmd)
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, string(out))
				workers.Wait()
			}
			s.try("user", "memory-hooks", "doctor")
			after, err := os.ReadFile(file)
			require.NoError(t, err)
			require.True(t, bytes.Equal(before, after), "%s has changed", file)
		})
	}
}

// setSchema has a later version have written a store.
func setSchema(t *testing.T, name string) {
	db, err := sql.Open("sqlite", name)
	require.NoError(t, err)
	_, err = db.Exec(`PRAGMA user_version = 99`)
	require.NoError(t, errors.Join(err, db.Close()))
}
