package worktree_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/worktree"
)

func TestInGit(t *testing.T) {
	for _, name := range []string{
		".git", ".git/config", "a/.git/x", ".GIT/config", ".Git", "a/.gIt", ".git.", ".git ", ".git. . ", "git~1", "GIT~1/config",
		".g\u200cit/config", "\u202e.git", "\ufeff.git", ".git::$INDEX_ALLOCATION/config", ".git:x",
	} {
		require.True(t, worktree.InGit(name), "%q", name)
	}
	for _, name := range []string{"", ".", "git", ".gitignore", ".github/x", ".gitmodules", "x.git", "a.git/b", "git~2", ".g", "GIT/config", "agents/.gitkeep", "g\u200cit"} {
		require.False(t, worktree.InGit(name), "%q", name)
	}
}

// gitFolders makes a tree with all kinds of git directories, and links to them.
func gitFolders(t *testing.T) string {
	return folder(t, []string{
		".git/config", ".git/HEAD", "sub/.git/config", "bare/HEAD", "bare/objects/x", "bare/refs/x", "bare/config", "bare/deep/x.md",
		"linked/HEAD", "linked/commondir", "linked/config", "agents/x.md", "HEAD-only/HEAD", "HEAD-only/refs/x",
	}, map[string]string{
		"agents/config.md": "../.git/config", "agents/git": "../.git", "agents/up": "..", "agents/hop.md": "config.md",
		"agents/module.md": "../sub/.git/config", "agents/bare.md": "../bare/config", "agents/linked.md": "../linked/config",
	})
}

var inGitFolders = []string{
	".git/config", "sub/.git/config", "bare/config", "bare/deep/x.md", "bare/refs/x", "linked/config", "agents/config.md",
	"agents/git/config", "agents/up/.git/config", "agents/hop.md", "agents/module.md", "agents/bare.md", "agents/linked.md",
}

func TestNothingIsReadInGitDirectories(t *testing.T) {
	tree := open(t, gitFolders(t))
	for _, name := range inGitFolders {
		_, err := fs.ReadFile(tree.FS(), name)
		require.ErrorIs(t, err, worktree.ErrGit, name)
		_, err = fs.Stat(tree.FS(), name)
		require.ErrorIs(t, err, worktree.ErrGit, name)
	}
	for _, name := range []string{"agents/x.md", "agents/up/agents/x.md", "HEAD-only/HEAD"} {
		_, err := fs.ReadFile(tree.FS(), name)
		require.NoError(t, err, name)
	}
	for folder, want := range map[string][]string{
		"sub": {}, ".git": {}, "agents/git": {}, "bare": {}, "HEAD-only": {"HEAD", "refs"},
		".": {"HEAD-only", "agents", "bare", "linked", "sub"},
	} {
		entries, err := fs.ReadDir(tree.FS(), folder)
		require.NoError(t, err, folder)
		names := []string{}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		require.Equal(t, want, names, folder)
	}
}

func TestNothingIsWrittenInGitDirectories(t *testing.T) {
	dir := gitFolders(t)
	tree := open(t, dir)
	for _, name := range inGitFolders {
		require.ErrorIs(t, tree.Replace(name, []byte("text"), []byte("other")), worktree.ErrGit, name)
		require.ErrorIs(t, tree.Replace(name, []byte("text"), nil), worktree.ErrGit, name)
	}
	for _, name := range []string{".git/new", ".GIT/new", "bare/new", "linked/new", "agents/git/new", "sub/.git/new", ".git", "git~1"} {
		require.ErrorIs(t, tree.Replace(name, nil, []byte("x")), worktree.ErrGit, name)
	}
	for _, name := range []string{".git", "bare", "linked"} {
		_, err := tree.Folder(name, 0o700)
		require.ErrorIs(t, err, worktree.ErrGit, name)
	}
	require.NoError(t, filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			var text []byte
			text, err = os.ReadFile(name)
			require.Equal(t, "text", string(text), name)
		}
		return err
	}))
}

// A git directory cannot be used as a tree.
func TestATreeThatIsABareRepository(t *testing.T) {
	tree := open(t, folder(t, []string{"HEAD", "objects/x", "refs/x", "config"}, nil))
	_, err := fs.ReadFile(tree.FS(), "config")
	require.ErrorIs(t, err, worktree.ErrGit)
	_, err = fs.ReadFile(tree.FS(), ".whence.yaml")
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorIs(t, tree.Replace(".whence.yaml", nil, []byte("x")), worktree.ErrGit)
}
