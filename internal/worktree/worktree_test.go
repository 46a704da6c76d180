package worktree_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/worktree"
)

// folder creates a folder with empty files and symbolic links (link → target). It returns the real path, since on macOS
// the temporary folder is itself behind a link.
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
		"marked.yaml", "a/b/c/x.md", "a/agents/index.md", "linked/x.md", "a/b/.git/HEAD", "a/b/e/x.md",
	}, map[string]string{"linked/marked.yaml": "nowhere"})
	require.NoError(t, os.Mkdir(filepath.Join(dir, "a/b/e/.git"), 0o755))
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
		{"a .git without a HEAD", "a/b/e", []string{".git"}, "a/b"},
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

// links creates a folder in which file.md, sub and hop.md lead to real/x.md or its folder, and all other links lead out
// or nowhere.
func links(t *testing.T) (dir, outside string) {
	outside = folder(t, []string{"secret.md"}, nil)
	dir = folder(t, []string{"real/x.md"}, map[string]string{
		"file.md":  "real/x.md",
		"sub":      "real",
		"hop.md":   "file.md",
		"away.md":  filepath.Join(outside, "secret.md"),
		"up":       "..",
		"away":     outside,
		"chain.md": "away.md",
		"dangling": "nowhere",
		"circle":   "circle",
	})
	require.NoError(t, os.Symlink(filepath.Join(dir, "real", "x.md"), filepath.Join(dir, "absolute.md")))
	return dir, outside
}

func TestFSFollowsLinksInsideOnly(t *testing.T) {
	dir, _ := links(t)
	tree := open(t, dir).FS()
	for _, name := range []string{"real/x.md", "file.md", "sub/x.md", "hop.md", "absolute.md"} {
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

// An absolute link may name the folder through another link, such as /tmp on macOS.
func TestAnAbsoluteLinkByAnotherName(t *testing.T) {
	dir := folder(t, []string{"real/x.md", "other.md"}, map[string]string{"alias": "real"})
	for link, target := range map[string]string{"in.md": "alias/x.md", "out.md": "alias/../other.md"} {
		require.NoError(t, os.Symlink(filepath.Join(dir, target), filepath.Join(dir, "real", link)))
	}
	tree := open(t, filepath.Join(dir, "real"))
	name, err := tree.Real("in.md")
	require.NoError(t, err)
	require.Equal(t, "x.md", name)
	_, err = tree.Real("out.md")
	require.ErrorContains(t, err, "it leads out of")
}

func TestFSIsUsableUntilClose(t *testing.T) {
	dir := folder(t, []string{"x.md"}, nil)
	tree, err := worktree.Open(dir)
	require.NoError(t, err)
	require.NoError(t, tree.Close())
	for _, name := range []string{".", "x.md"} {
		_, err = fs.Stat(tree.FS(), name)
		require.ErrorIs(t, err, fs.ErrClosed)
	}
}

func TestRealIsTheNameWithoutLinks(t *testing.T) {
	dir, outside := links(t)
	byLink := filepath.Join(folder(t, nil, map[string]string{"repo": dir}), "repo")
	for _, opened := range []string{dir, byLink} { // the folder itself may be behind a link
		tree := open(t, opened)
		for _, name := range []string{"real/x.md", "file.md", "sub/x.md", "hop.md", "absolute.md"} {
			got, err := tree.Real(name)
			require.NoError(t, err, name)
			require.Equal(t, "real/x.md", got, name)
		}
		for _, name := range []string{"away.md", "away/secret.md", "chain.md", "up"} {
			_, err := tree.Real(name)
			require.ErrorContains(t, err, name+": it leads out of "+opened)
		}
		for _, name := range []string{"..", "sub/../..", "./real/x.md", filepath.Join(outside, "secret.md")} {
			_, err := tree.Real(name)
			require.ErrorIs(t, err, fs.ErrInvalid, name)
		}
		for _, name := range []string{"none.md", "none/x.md", "dangling"} {
			_, err := tree.Real(name)
			require.ErrorIs(t, err, fs.ErrNotExist, name)
		}
		for _, name := range []string{"circle", "circle/x"} {
			_, err := tree.Real(name)
			require.ErrorContains(t, err, "too many links", name)
		}
	}
}

// Only links count towards their limit, not folders.
func TestADeepFolderBehindALink(t *testing.T) {
	deep := strings.Repeat("a/", 60)
	dir := folder(t, []string{deep + "x.md"}, map[string]string{deep + "link.md": "x.md"})
	name, err := open(t, dir).Real(deep + "link.md")
	require.NoError(t, err)
	require.Equal(t, deep+"x.md", name)
}

// A sibling whose name has the folder's as a prefix is outside of it.
func TestASiblingOfTheSameBeginningIsOutside(t *testing.T) {
	parent := folder(t, []string{"repo/x.md", "repo-2/x.md"}, map[string]string{"repo/link.md": "../repo-2/x.md"})
	_, err := open(t, filepath.Join(parent, "repo")).Real("link.md")
	require.ErrorContains(t, err, "leads out of")
}

// The tree remains the opened folder, even if that is moved.
func TestTheFolderIsMoved(t *testing.T) {
	dir := filepath.Join(folder(t, []string{"repo/x.md", "repo/a/y.md"}, nil), "repo")
	tree := open(t, dir)
	if err := os.Rename(dir, dir+"-moved"); err != nil {
		t.Skip("an open folder cannot be moved here: ", err)
	}
	text, err := fs.ReadFile(tree.FS(), "a/y.md")
	require.NoError(t, err)
	require.Equal(t, "text", string(text))
}

// A folder that is replaced while the tree is open is opened anew.
func TestAFolderIsReplaced(t *testing.T) {
	dir := folder(t, []string{"a/x.md", "b/x.md"}, nil)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b", "x.md"), []byte("new"), 0o644))
	tree := open(t, dir)
	_, err := fs.Stat(tree.FS(), "a/x.md")
	require.NoError(t, err)
	if err := errors.Join(os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "c")), os.Rename(filepath.Join(dir, "b"), filepath.Join(dir, "a"))); err != nil {
		t.Skip("an open folder cannot be moved here: ", err)
	}
	text, err := fs.ReadFile(tree.FS(), "a/x.md")
	require.NoError(t, err)
	require.Equal(t, "new", string(text))
	require.NoError(t, tree.Replace("a/x.md", []byte("new"), []byte("newer")))
	text, err = os.ReadFile(filepath.Join(dir, "a", "x.md"))
	require.NoError(t, err)
	require.Equal(t, "newer", string(text))
}
