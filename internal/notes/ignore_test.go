package notes_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/notes"
)

// What is ignored here is ignored by git, and git ignores them afterwards in any case.
func TestIgnore(t *testing.T) {
	for _, c := range []struct {
		before, after string // of .gitignore; "": no file
	}{
		{"", ".memory/\n"},
		{"node_modules/", "node_modules/\n.memory/\n"},
		{"node_modules/\r\n", "node_modules/\r\n.memory/\r\n"},
		{".memory/\n", ".memory/\n"},
		{"/.memory\r\n", "/.memory\r\n"},
		{"**/.memory/\n", "**/.memory/\n"},
		{".memory/\n!.memory/\n", ".memory/\n!.memory/\n.memory/\n"},
		{"# .memory/\n", "# .memory/\n.memory/\n"},
		{".memory/x\n", ".memory/x\n.memory/\n"},
	} {
		s := newStage(t, map[string]string{".memory/context.md": "x"})
		require.NoError(t, exec.Command("git", "init", "-q", s.dir).Run())
		if c.before != "" {
			s.write(".gitignore", c.before)
		}
		byGit := func() bool {
			cmd := exec.Command("git", "check-ignore", "-q", ".memory/context.md")
			cmd.Dir = s.dir
			return cmd.Run() == nil
		}
		is, err := notes.Ignored(s.dir)
		require.NoError(t, err)
		require.Equal(t, byGit(), is, c.before)
		done, err := notes.Ignore(s.dir)
		require.NoError(t, err)
		require.Equal(t, !is, done)
		require.Equal(t, c.after, s.read(".gitignore"))
		require.True(t, byGit())
		done, err = notes.Ignore(s.dir)
		require.NoError(t, err)
		require.False(t, done, "twice is once")
	}
}

func TestIgnoredElsewhere(t *testing.T) {
	s := newStage(t, map[string]string{".git/info/exclude": ".memory/\n"})
	is, err := notes.Ignored(s.dir)
	require.NoError(t, err)
	require.True(t, is)
	s = newStage(t, map[string]string{".git": "gitdir: elsewhere\n", ".memory/.gitignore": "*\n"})
	is, err = notes.Ignored(s.dir)
	require.NoError(t, err)
	require.True(t, is)
	outside := filepath.Join(t.TempDir(), "x")
	require.NoError(t, os.WriteFile(outside, []byte("x\n"), 0o600))
	s = newStage(t, nil)
	if os.Symlink(outside, filepath.Join(s.dir, ".gitignore")) != nil {
		t.Skip("no links here")
	}
	_, err = notes.Ignore(s.dir)
	require.Error(t, err)
}
