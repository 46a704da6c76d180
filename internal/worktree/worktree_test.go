package worktree_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/worktree"
)

// folder makes a folder with empty files and symbolic links (link → target), and
// returns its real path: on macOS the temporary folder is itself behind a link.
func folder(t *testing.T, files []string, links map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, name := range files {
		name = filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte("text"), 0o644))
	}
	for link, target := range links {
		link = filepath.Join(dir, link)
		require.NoError(t, os.MkdirAll(filepath.Dir(link), 0o755))
		if err := os.Symlink(filepath.FromSlash(target), link); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	return dir
}

func open(t *testing.T, dir string) *worktree.Tree {
	t.Helper()
	tree, err := worktree.Open(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, tree.Close()) })
	return tree
}

func TestFindGoesUpToTheNearestMark(t *testing.T) {
	dir := folder(t, []string{
		"marked.yaml", "a/b/c/x.md", "a/agents/index.md", "linked/x.md", "a/b/.git/HEAD",
	}, map[string]string{"linked/marked.yaml": "nowhere"})
	for _, c := range []struct {
		name, from string
		marks      []string
		want       string
	}{
		{"mark in the folder", ".", []string{"marked.yaml"}, "."},
		{"mark in a parent", "a/b/c", []string{"marked.yaml"}, "."},
		{"the nearest of several marks, not the first", "a/b/c", []string{"marked.yaml", ".git"}, "a/b"},
		{"a mark may be a path", "a/b/c", []string{"agents/index.md"}, "a"},
		{"a mark may be a link to nothing", "linked", []string{"marked.yaml"}, "linked"},
		{"no mark", "a/b/c", []string{"no-such-mark-anywhere"}, "a/b/c"},
		{"none asked for", "a/b", nil, "a/b"},
		{"a folder that does not exist", "a/b/none", []string{".git"}, "a/b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, filepath.Join(dir, c.want), worktree.Find(filepath.Join(dir, c.from), c.marks...))
		})
	}
}

func TestOpenTakesAFolder(t *testing.T) {
	dir := folder(t, []string{"x.md"}, nil)
	require.Equal(t, dir, open(t, dir).Dir)
	_, err := worktree.Open(filepath.Join(dir, "none"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.ErrorContains(t, err, filepath.Join(dir, "none"))
	_, err = worktree.Open(filepath.Join(dir, "x.md"))
	require.EqualError(t, err, filepath.Join(dir, "x.md")+" is not a folder")
}

// links makes a folder in which file.md, sub and hop.md lead to real/x.md or its
// folder, and all other links out or nowhere.
func links(t *testing.T) (dir, outside string) {
	outside = folder(t, []string{"secret.md"}, nil)
	return folder(t, []string{"real/x.md"}, map[string]string{
		"file.md":  "real/x.md",
		"sub":      "real",
		"hop.md":   "file.md",
		"away.md":  filepath.Join(outside, "secret.md"),
		"up":       "..",
		"away":     outside,
		"chain.md": "away.md",
		"dangling": "nowhere",
	}), outside
}

func TestFSFollowsLinksInsideOnly(t *testing.T) {
	dir, _ := links(t)
	tree := open(t, dir).FS()
	for _, name := range []string{"real/x.md", "file.md", "sub/x.md", "hop.md"} {
		text, err := fs.ReadFile(tree, name)
		require.NoError(t, err, name)
		require.Equal(t, "text", string(text), name)
	}
	for _, name := range []string{"away.md", "away/secret.md", "chain.md", "up/" + filepath.Base(dir) + "/real/x.md", "../x", "/etc/hosts"} {
		_, err := fs.ReadFile(tree, name)
		require.Error(t, err, name)
		require.False(t, errors.Is(err, fs.ErrNotExist), "%s is refused, not missing", name)
	}
}

func TestFSIsUsableUntilClose(t *testing.T) {
	dir := folder(t, []string{"x.md"}, nil)
	tree, err := worktree.Open(dir)
	require.NoError(t, err)
	require.NoError(t, tree.Close())
	_, err = fs.ReadFile(tree.FS(), "x.md")
	require.ErrorIs(t, err, fs.ErrClosed)
}

func TestPathIsTheRealFile(t *testing.T) {
	dir, outside := links(t)
	byLink := filepath.Join(folder(t, nil, map[string]string{"repo": dir}), "repo")
	for _, opened := range []string{dir, byLink} { // the folder itself may be behind a link
		tree := open(t, opened)
		for _, name := range []string{"real/x.md", "file.md", "sub/x.md", "hop.md", "./real/../real/x.md"} {
			got, err := tree.Path(name)
			require.NoError(t, err, name)
			require.Equal(t, filepath.Join(dir, "real", "x.md"), got, name)
		}
		for _, name := range []string{"away.md", "away/secret.md", "chain.md", "up", "..", "sub/../.."} {
			_, err := tree.Path(name)
			require.EqualError(t, err, name+" leads out of "+opened)
		}
		for _, name := range []string{"none.md", "none/x.md", "dangling", filepath.Join(outside, "secret.md")} {
			_, err := tree.Path(name)
			require.ErrorIs(t, err, fs.ErrNotExist, name)
		}
	}
}

// A sibling whose name begins like the folder's is outside of it.
func TestPathRefusesTheSiblingOfTheSameBeginning(t *testing.T) {
	parent := folder(t, []string{"repo/x.md", "repo-2/x.md"}, map[string]string{"repo/link.md": "../repo-2/x.md"})
	tree := open(t, filepath.Join(parent, "repo"))
	for _, name := range []string{"../repo-2/x.md", "link.md"} {
		_, err := tree.Path(name)
		require.EqualError(t, err, name+" leads out of "+tree.Dir)
	}
}

func TestPathNeedsTheFolderStill(t *testing.T) {
	dir := filepath.Join(folder(t, []string{"repo/x.md"}, nil), "repo")
	tree := open(t, dir)
	if err := os.Rename(dir, dir+"-moved"); err != nil {
		t.Skip("an open folder cannot be moved here: ", err)
	}
	_, err := tree.Path("x.md")
	require.ErrorIs(t, err, fs.ErrNotExist)
}
