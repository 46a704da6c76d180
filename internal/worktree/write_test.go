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

// A link that repeatedly replaces a folder is never followed.
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

// In a Folder no link is followed, and neither is a link to the folder itself.
func TestAFolderWithoutLinks(t *testing.T) {
	dir := folder(t, []string{"notes/a.md", "notes/bare/HEAD"}, map[string]string{"linked": "notes", "notes/in.md": "a.md", "notes/out.md": "../a.md", "notes/none.md": "new.md"})
	tree := open(t, dir)
	for _, name := range []string{"linked", "notes/a.md"} {
		_, err := tree.Folder(name, 0o700)
		require.ErrorContains(t, err, "it is a link, or not a folder", name)
	}
	notes, err := tree.Folder("notes", 0)
	require.NoError(t, err)
	for _, name := range []string{"in.md", "out.md", "none.md", "bare"} {
		for _, flag := range []int{os.O_RDONLY, os.O_WRONLY | os.O_APPEND | os.O_CREATE} {
			_, err := notes.OpenFile(name, flag, 0o600)
			require.ErrorContains(t, err, "notes/"+name+" is a link, or not a regular file", name)
		}
	}
	require.NoFileExists(t, filepath.Join(dir, "notes", "new.md"))
	file, err := notes.OpenFile("new.md", os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	require.NoError(t, err)
	require.NoError(t, file.Close())
}

// Processes that create the same folder at the same time do not make each other fail.
func TestAFolderIsMadeSideBySide(t *testing.T) {
	dir := t.TempDir()
	for round := range 50 {
		name := fmt.Sprintf("a%d", round)
		var group sync.WaitGroup
		for range 8 {
			tree := open(t, dir)
			group.Go(func() {
				_, err := tree.Folder(name, 0o700)
				assert.NoError(t, err)
			})
		}
		group.Wait()
		require.DirExists(t, filepath.Join(dir, name))
	}
}
