package transcripts_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/transcripts"
)

func TestFolder(t *testing.T) {
	for name, want := range map[string]string{
		"/h/.claude/projects/-shop/9c.jsonl":            "/h/.claude/projects/-shop",
		"/h/.gemini/tmp/shop/chats/session-1.jsonl":     "/h/.gemini/tmp/shop/chats",
		"/h/.codex/sessions/2026/11/23/rollout-1.jsonl": "/h/.codex/sessions",
		"/h/.copilot/session-state/9c/events.jsonl":     "/h/.copilot/session-state",
		"/h/.local/share/opencode/opencode.db#ses_1":    "/h/.local/share/opencode/opencode.db",
		"/h/.claude/projects/-shop/9c.json":             "",
		"":                                              "",
	} {
		require.Equal(t, filepath.FromSlash(want), transcripts.Folder(filepath.FromSlash(name)), name)
	}
}

// Of all that lies in the folders of an agent, only its transcripts are found, and only new ones.
func TestSiblings(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	for i, name := range []string{
		"sessions/2026/11/23/rollout-a.jsonl", "sessions/2026/11/22/rollout-b.jsonl", "sessions/2026/11/22/notes.jsonl", "sessions/2025/01/01/rollout-old.jsonl", "sessions/rollout-c.jsonl",
		"session-state/a/events.jsonl", "session-state/b/events.jsonl", "session-state/b/other.jsonl",
		"chats/a.jsonl", "chats/b.jsonl", "chats/below/c.jsonl", "chats/below/e.jsonl", "chats/d.json",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		at := now.Add(-time.Duration(i) * time.Minute)
		if filepath.Base(name) == "rollout-old.jsonl" {
			at = now.AddDate(0, 0, -20)
		}
		require.NoError(t, os.Chtimes(path, at, at))
	}
	for name, want := range map[string][]string{
		"sessions/2026/11/23/rollout-x.jsonl": {"sessions/2026/11/23/rollout-a.jsonl", "sessions/2026/11/22/rollout-b.jsonl"},
		"session-state/x/events.jsonl":        {"session-state/a/events.jsonl", "session-state/b/events.jsonl"},
		"chats/x.jsonl":                       {"chats/a.jsonl", "chats/b.jsonl"},
		"chats/session-x.jsonl":               {"chats/a.jsonl", "chats/b.jsonl", "chats/below/c.jsonl", "chats/below/e.jsonl"},
		"nowhere/x.jsonl":                     nil,
		"chats/x.txt":                         nil,
	} {
		got, err := transcripts.Siblings(t.Context(), filepath.Join(dir, filepath.FromSlash(name)), now.AddDate(0, 0, -14))
		require.NoError(t, err)
		for i := range got {
			below, err := filepath.Rel(dir, got[i])
			require.NoError(t, err)
			got[i] = filepath.ToSlash(below)
		}
		require.Equal(t, want, got, name)
	}
	for _, c := range []struct {
		name, session string
		want          []string
	}{
		{"chats/session-x.jsonl", "below", []string{"chats/below/c.jsonl", "chats/below/e.jsonl"}},
		{"chats/session-x.jsonl", "none", nil},
		{"chats/session-x.jsonl", "", nil},
		{"chats/below/session-x.jsonl", "..", nil},
		{"chats/x.jsonl", "below", nil},
	} {
		got, err := transcripts.Subagents(filepath.Join(dir, filepath.FromSlash(c.name)), c.session)
		require.NoError(t, err)
		for i := range got {
			below, err := filepath.Rel(dir, got[i])
			require.NoError(t, err)
			got[i] = filepath.ToSlash(below)
		}
		require.Equal(t, c.want, got, c)
	}
}
