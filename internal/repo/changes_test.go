package repo_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/repo"
)

func trees(t *testing.T, dir string) (head, tree *repo.Tree) {
	t.Helper()
	r, err := repo.Open(dir, dir, none)
	require.NoError(t, err)
	head, err = r.Head()
	require.NoError(t, err)
	tree, err = r.Staged()
	require.NoError(t, err)
	return head, tree
}

// Each kind of change is found, with names that sort differently as folders and as files. Files that are only in the
// worktree, or only announced, are not changes.
func TestChanges(t *testing.T) {
	dir := start(t)
	git(t, dir, "mv", "a.md", "notes.md")
	git(t, dir, "rm", "-q", "-r", "notes/deep")
	git(t, dir, "update-index", "--chmod=+x", "notes-d.md")
	write(t, dir, "notes/deep", "now a file\n")
	write(t, dir, "other/e.txt", "not staged\n")
	write(t, dir, "announced.md", "x\n")
	git(t, dir, "add", "notes/deep")
	git(t, dir, "add", "-N", "announced.md")
	head, tree := trees(t, dir)
	require.Equal(t, []string{
		"a.md",
		"notes-d.md",
		"notes.md",
		"notes/b.md",
		"notes/deep",
		"notes/deep/c.md",
	}, tree.Changed(head))
	for _, side := range []struct {
		tree *repo.Tree
		want string
	}{{head, "notes/b.md\n"}, {tree, "staged\n"}} {
		text, err := fs.ReadFile(side.tree, "notes/b.md")
		require.NoError(t, err)
		require.Equal(t, side.want, string(text))
	}
	require.Empty(t, tree.Changed(tree))
}

// A name that is not UTF-8 is treated like any other, and stays in the index.
func TestChangesWithALatin1Name(t *testing.T) {
	dir := start(t)
	name := "caf\xe9.md"
	if err := os.WriteFile(filepath.Join(dir, name), []byte("x\n"), 0o644); err != nil {
		t.Skip("no such names here: ", err)
	}
	git(t, dir, "add", ".")
	for _, way := range []string{"--no-split-index", "--split-index"} {
		git(t, dir, "update-index", way)
		head, tree := trees(t, dir)
		require.Contains(t, tree.Changed(head), name)
		r, err := repo.Open(dir, dir, none)
		require.NoError(t, err)
		require.NoError(t, r.Stage(tree, map[string][]byte{"a.md": []byte("new\n")}))
		require.Contains(t, git(t, dir, "ls-files", "-z"), name+"\x00")
	}
}

// In a merge, changes of the other side count, and conflicts are reported.
func TestChangesOfAMerge(t *testing.T) {
	dir := start(t)
	git(t, dir, "reset", "-q", "--hard")
	git(t, dir, "checkout", "-qb", "left")
	write(t, dir, "a.md", "left\n")
	write(t, dir, "left.md", "left\n")
	git(t, dir, "rm", "-q", "notes-d.md")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-qm", "left")
	git(t, dir, "checkout", "-qb", "right", "HEAD~1")
	write(t, dir, "a.md", "right\n")
	git(t, dir, "commit", "-qam", "right")
	_, err := tryGit(dir, "merge", "left")
	require.Error(t, err)
	head, tree := trees(t, dir)
	require.Equal(t, []string{
		"a.md", "left.md", "notes-d.md",
	}, tree.Changed(head))
	write(t, dir, "a.md", "both\n")
	git(t, dir, "add", "a.md")
	head, tree = trees(t, dir)
	require.Equal(t, "a.md", tree.Changed(head)[0])
}

// Before the first commit everything is new. A head that leads to nothing is an error, not an empty tree.
func TestHead(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	write(t, dir, "a.md", "a\n")
	git(t, dir, "add", ".")
	head, tree := trees(t, dir)
	require.Equal(t, []string{"a.md"}, tree.Changed(head))

	git(t, dir, "commit", "-qm", "one")
	git(t, dir, "checkout", "-q", "--detach")
	head, tree = trees(t, dir)
	require.Empty(t, tree.Changed(head))

	require.NoError(t, os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("1234567890123456789012345678901234567890\n"), 0o644))
	r, err := repo.Open(dir, dir, none)
	require.NoError(t, err)
	_, err = r.Head()
	require.ErrorContains(t, err, "read the last commit: git diff-tree")
}
