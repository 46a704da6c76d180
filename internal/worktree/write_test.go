package worktree_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"whence/internal/worktree"
)

func TestWritesFollowLinksInside(t *testing.T) {
	dir, outside := links(t)
	tree := open(t, dir)
	before := "text"
	for _, name := range []string{"real/x.md", "file.md", "sub/x.md", "hop.md", "absolute.md"} {
		require.NoError(t, tree.Replace(name, []byte(before), []byte(name)), name)
		text, err := os.ReadFile(filepath.Join(dir, "real", "x.md"))
		require.NoError(t, err)
		require.Equal(t, name, string(text))
		before = name
	}
	require.ErrorIs(t, tree.Replace("file.md", []byte("text"), []byte("x")), worktree.ErrChanged)
	info, err := os.Lstat(filepath.Join(dir, "file.md"))
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&fs.ModeSymlink, "the link stays one")
	for _, name := range []string{"away.md", "away/secret.md", "chain.md", "up/x"} {
		require.ErrorContains(t, tree.Replace(name, []byte("text"), []byte("x")), "it leads out of", name)
	}
	for _, name := range []string{"away/new.md", "up/new.md"} {
		require.ErrorContains(t, tree.Replace(name, nil, []byte("x")), "it leads out of", name)
	}
	require.ErrorIs(t, tree.Replace("dangling", nil, []byte("x")), worktree.ErrChanged, "no file is made behind a link")
	require.NoError(t, tree.Replace("sub/new.md", nil, []byte("x")))
	require.FileExists(t, filepath.Join(dir, "real", "new.md"))
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

// A link that replaces a folder again and again is never followed.
func TestALinkThatComesMeanwhileIsNotFollowed(t *testing.T) {
	dir := folder(t, []string{"a/x.md", ".git/x.md"}, map[string]string{"link": ".git"})
	at := func(name string) string { return filepath.Join(dir, name) }
	stop := make(chan struct{})
	var swaps sync.WaitGroup
	swaps.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				_ = os.Rename(at("a"), at("real"))
				_ = os.Rename(at("link"), at("a"))
				_ = os.Rename(at("a"), at("link"))
				_ = os.Rename(at("real"), at("a"))
			}
		}
	})
	tree := open(t, dir)
	texts, now := []string{"text", "other"}, 0
	for range 3000 {
		if _, err := fs.ReadFile(tree.FS(), "a/x.md"); err != nil {
			continue
		}
		if tree.Replace("a/x.md", []byte(texts[now]), []byte(texts[1-now])) == nil {
			now = 1 - now
		}
	}
	close(stop)
	swaps.Wait()
	text, err := os.ReadFile(at(".git/x.md"))
	require.NoError(t, err)
	require.Equal(t, "text", string(text))
	entries, err := os.ReadDir(at(".git"))
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

func TestAFolderWithoutLinks(t *testing.T) {
	dir := folder(t, []string{"notes/a.md", "real/b.md", "notes/bare/HEAD"}, map[string]string{
		"linked": "notes", "deep/linked": "../notes", "notes/in.md": "a.md", "notes/out.md": "../real/b.md", "notes/none.md": "new.md", "notes/sub": "../real",
	})
	tree := open(t, dir)
	for _, name := range []string{"linked", "deep/linked", "linked/bare"} {
		_, err := tree.Folder(name)
		require.ErrorContains(t, err, "is a link, and none is followed here", name)
	}
	notes, err := tree.Folder("notes")
	require.NoError(t, err)
	_, err = tree.Folder("notes/sub")
	require.ErrorContains(t, err, "is a link, and none is followed here")
	for _, name := range []string{"in.md", "out.md", "none.md"} {
		for _, flag := range []int{os.O_RDONLY, os.O_WRONLY | os.O_APPEND | os.O_CREATE} {
			_, err := notes.OpenFile(name, flag, 0o600)
			require.ErrorContains(t, err, "notes/"+name+" is a link", name)
		}
		require.ErrorContains(t, notes.Rename(name, "x.md"), "is a link")
	}
	require.NoFileExists(t, filepath.Join(dir, "notes", "new.md"))
	file, err := notes.OpenFile("new.md", os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	_, err = notes.OpenFile("a.md", os.O_WRONLY|os.O_TRUNC, 0o600)
	require.ErrorIs(t, err, fs.ErrInvalid)
	_, err = notes.OpenFile("bare", os.O_RDONLY, 0)
	require.ErrorContains(t, err, "is not a regular file")
}

// A link to a folder is not an empty folder, and neither is a file.
func TestOnlyAnEmptyFolderIsRemoved(t *testing.T) {
	dir := folder(t, []string{"full/x", "empty/x"}, map[string]string{"link": "empty"})
	require.NoError(t, os.Remove(filepath.Join(dir, "empty", "x")))
	tree := open(t, dir)
	for _, name := range []string{"link", "full", "full/x", "none"} {
		require.Error(t, tree.RemoveFolder(name), name)
	}
	require.NoError(t, tree.RemoveFolder("empty"))
	for name, there := range map[string]bool{"link": true, "full/x": true, "empty": false} {
		_, err := os.Lstat(filepath.Join(dir, name))
		require.Equal(t, there, err == nil, name)
	}
}

// Processes that make the same folder at the same time do not fail each other.
func TestFoldersAreMadeSideBySide(t *testing.T) {
	dir := t.TempDir()
	for round := range 50 {
		var group sync.WaitGroup
		for range 8 {
			tree := open(t, dir)
			group.Go(func() { assert.NoError(t, tree.MakeFolders(fmt.Sprintf("a%d/b/c", round), 0o700)) })
		}
		group.Wait()
		require.DirExists(t, filepath.Join(dir, fmt.Sprintf("a%d", round), "b", "c"))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	require.ErrorContains(t, open(t, dir).MakeFolders("file", 0o700), "it is not a folder")
}
