package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a newer version has left is refused by today's programs, which say which file it is, which
// versions, and what to do. They change no byte of it, and events go on.
func TestNewerVersion(t *testing.T) {
	const update = "newer version"
	for name, c := range map[string]struct {
		file    string // of the store, or below the folder of the test
		change  func(u *upgraded, name string) string
		dir     string
		command []string
		says    []string
	}{
		"store": {storeFolder010 + "/memory.db", setSchema, "project", []string{"memory-remember", "list"},
			[]string{"/memory.db", update, "update whence", "its schema is 99, known is "}},
		"store, writing": {storeFolder010 + "/memory.db", setSchema, "project", []string{"memory-remember", "the harbour master answers on channel nine"},
			[]string{"/memory.db", update, "update whence", "its schema is 99, known is "}},
		"replica": {storeFolder010 + "/team/*/memory.db", setSchema, "office", []string{"memory-remember", "list"},
			[]string{"/memory.db", update, "update whence", "its schema is 99, known is "}},
		"job": {storeFolder010 + "/spool/*-*", (*upgraded).setJobVersion, "project", []string{"memory-remember", "capture"},
			[]string{"/spool: job ", update, "update whence", "its version is 2, known is 1"}},
		"permissions": {storeFolder010 + "/allowed.json", write(`{"version": 2, "repositories": [], "folders": ["/srv"]}`), "project", []string{"memory-hooks", "allow", "--yes"},
			[]string{"/allowed.json", update, "update whence", "its version is 2, known is 1"}},
		"settings of the user": {storeFolder010 + "/settings.yaml", write("memory_dreams: true\n"), "project", []string{"memory-hooks", "doctor"},
			[]string{"/settings.yaml:1", `unknown key "memory_dreams"`}},
		"settings of a repository": {"project/.whence.yaml", write("memory_dreams: true\n"), "project", []string{"memory-validate"},
			[]string{".whence.yaml:1", `unknown key "memory_dreams"`}},
		"exported learnings": {"exported/learnings.jsonl", write(`{"description": "The harbour master answers on channel nine", "mood": "calm"}` + "\n"), "project", []string{"memory-remember", "import", "../exported/learnings.jsonl"},
			[]string{"learnings.jsonl:1", `unknown field "mood"`}},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUpgraded(t)
			file := filepath.Join(u.dir, filepath.FromSlash(c.file))
			if found, _ := filepath.Glob(file); len(found) > 0 {
				slices.Sort(found)
				file = found[0]
			}
			file = c.change(u, file)
			before, err := os.ReadFile(file)
			require.NoError(t, err)

			s := u.answer(c.dir, "", c.command[0], c.command[1:]...)
			require.NotZero(t, s.Status, s.Stdout)
			for _, part := range c.says {
				require.Contains(t, s.Stdout+s.Stderr, part)
			}
			for _, event := range []string{"SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"} {
				u.event(event, "new", map[string]any{"prompt": "how are we mooring the ferry at pier seven?", "source": "startup"})
			}
			u.answer(c.dir, "", "memory-hooks", "doctor")
			after, err := os.ReadFile(file)
			require.NoError(t, err)
			require.True(t, bytes.Equal(before, after), "%s has changed", file)
		})
	}
}

// setSchema has a later version have written a store.
func setSchema(u *upgraded, name string) string {
	u.exec(name, `PRAGMA user_version = 99`)
	return name
}

// setJobVersion has a later version have added a job. It returns its new name.
func (u *upgraded) setJobVersion(name string) string {
	u.t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(u.t, err)
	changed := []byte(strings.Replace(string(text), "{", `{"version":2,"mood":"calm",`, 1))
	require.NoError(u.t, os.Remove(name))
	name = filepath.Join(filepath.Dir(name), jobName(filepath.Base(name), text, changed))
	require.NoError(u.t, os.WriteFile(name, changed, 0o600))
	return name
}

// write returns a change that writes a file.
func write(text string) func(u *upgraded, name string) string {
	return func(u *upgraded, name string) string {
		require.NoError(u.t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
}
