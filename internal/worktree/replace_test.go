package worktree_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/worktree"
)

// Variables that name the cache folder and the folder for temporary files.
var (
	cacheVariables = []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"}
	tempVariables  = []string{"TMPDIR", "TMP", "TEMP"}
)

func setAll(t *testing.T, variables []string, value string) {
	t.Helper()
	for _, name := range variables {
		t.Setenv(name, value)
	}
}

// isolate replaces the cache folder and the folder for temporary files for a test, and
// returns the new ones.
func isolate(t *testing.T) (cache, temp string) {
	t.Helper()
	cache, temp = t.TempDir(), t.TempDir()
	setAll(t, cacheVariables, cache)
	setAll(t, tempVariables, temp)
	return cache, temp
}

// file creates a file in a new folder.
func file(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "memory-index.md")
	require.NoError(t, os.WriteFile(name, []byte(content), 0o644))
	return name
}

// replace is Tree.Replace for a path.
func replace(name string, before, after []byte) error {
	tree, err := worktree.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	return errors.Join(tree.Replace(filepath.Base(name), before, after), tree.Close())
}

// requireAlone requires that the folder of a file holds the file, with this
// content, and nothing else: no lock, no temporary file.
func requireAlone(t *testing.T, name, content string) {
	t.Helper()
	require.Equal(t, []string{filepath.Base(name)}, names(t, filepath.Dir(name)))
	got, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, content, string(got))
}

func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestReplaceWritesTheNewText(t *testing.T) {
	for _, c := range []struct{ name, base, data string }{
		{"longer", "old", "much longer"},
		{"shorter", "much longer", "new"},
		{"from empty", "", "new"},
		{"to empty", "old", ""},
		{"any bytes", "\x00\r\n", "\xff\r\n\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			isolate(t)
			name := file(t, c.base)
			require.NoError(t, replace(name, []byte(c.base), []byte(c.data)))
			requireAlone(t, name, c.data)
		})
	}
}

func TestReplaceTakesARelativeName(t *testing.T) {
	isolate(t)
	name := file(t, "old")
	t.Chdir(filepath.Dir(name))
	require.NoError(t, replace(filepath.Base(name), []byte("old"), []byte("new")))
	requireAlone(t, name, "new")
}

// A usual umask would change 0666 and 0777.
func TestReplaceKeepsTheMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	isolate(t)
	for _, mode := range []fs.FileMode{0o600, 0o640, 0o644, 0o666, 0o755, 0o777} {
		name := file(t, "old")
		require.NoError(t, os.Chmod(name, mode))
		require.NoError(t, replace(name, []byte("old"), []byte("new")))
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode())
	}
}

func TestEqualTextsDoNotTouchTheFile(t *testing.T) {
	isolate(t)
	name := file(t, "same")
	past := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	require.NoError(t, os.Chtimes(name, past, past))
	before, err := os.Stat(name)
	require.NoError(t, err)
	require.NoError(t, replace(name, []byte("same"), []byte("same")))
	after, err := os.Stat(name)
	require.NoError(t, err)
	require.True(t, after.ModTime().Equal(past))
	require.True(t, os.SameFile(before, after))
}

func TestReplaceRefusesAChangedFile(t *testing.T) {
	isolate(t)
	for _, now := range []string{"", "changed", "base and more", "Base"} {
		name := file(t, now)
		require.ErrorIs(t, replace(name, []byte("base"), []byte("new")), worktree.ErrChanged)
		requireAlone(t, name, now)
	}
}

func TestReplaceRefusesWhatIsNoRegularFile(t *testing.T) {
	isolate(t)
	missing := filepath.Join(t.TempDir(), "x.md")
	require.ErrorIs(t, replace(missing, []byte("old"), []byte("new")), fs.ErrNotExist)
	require.Empty(t, names(t, filepath.Dir(missing)))
	folder := t.TempDir()
	require.ErrorContains(t, replace(folder, []byte("old"), []byte("new")), folder+" is not a regular file")
}

// The folder is writable: only the mode of the file forbids the replacement.
func TestReplaceRefusesAReadOnlyFile(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write any file")
	}
	isolate(t)
	name := file(t, "old")
	require.NoError(t, os.Chmod(name, 0o444))
	require.ErrorIs(t, replace(name, []byte("old"), []byte("new")), fs.ErrPermission)
	requireAlone(t, name, "old")
}

func TestReplaceInAReadOnlyFolderFailsAndLeavesTheFileAlone(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("the mode of a folder does not restrict this user")
	}
	isolate(t)
	name := file(t, "old")
	require.NoError(t, os.Chmod(filepath.Dir(name), 0o555))
	require.ErrorIs(t, replace(name, []byte("old"), []byte("new")), fs.ErrPermission)
	requireAlone(t, name, "old")
	require.NoError(t, os.Chmod(filepath.Dir(name), 0o755)) // so that it can be removed
}

func TestReplaceLeavesNeighboursAlone(t *testing.T) {
	isolate(t)
	name := file(t, "old")
	var want []string
	for _, format := range []string{".%s.swp", ".#%s", ".tmp-%s", ".%s.tmp-1", ".%s.whence", ".other-%s.whence-1", "%s", "%s.bak", "%s.tmp", "%s.whence-1", "%s~"} {
		neighbour := fmt.Sprintf(format, filepath.Base(name))
		if neighbour != filepath.Base(name) {
			require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(name), neighbour), nil, 0o644))
		}
		want = append(want, neighbour)
	}
	folder := "." + filepath.Base(name) + ".whence-folder" // no temporary file is a folder
	require.NoError(t, os.Mkdir(filepath.Join(filepath.Dir(name), folder), 0o755))
	want = append(want, folder)
	require.NoError(t, replace(name, []byte("old"), []byte("new")))
	require.ElementsMatch(t, want, names(t, filepath.Dir(name)))
}

// The next write removes what a killed writer of the same file has left, and nothing else, however similar its name.
func TestATemporaryFileOfAKilledWriterIsRemoved(t *testing.T) {
	isolate(t)
	name := file(t, "old")
	left := filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".whence-new")
	outside := file(t, "kept")
	for now, leave := range map[string]func() error{
		"a text": func() error { return os.WriteFile(left, []byte("half"), 0o600) },
		"a link": func() error { return os.Symlink(outside, left) },
	} {
		if err := leave(); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
		before, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, replace(name, before, []byte(now)))
		requireAlone(t, name, now)
	}
	requireAlone(t, outside, "kept")
}

func TestReplaceLeavesNothingElsewhere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be locked here")
	}
	cache, temp := isolate(t)
	name := file(t, "old")
	require.NoError(t, replace(name, []byte("old"), []byte("new")))
	require.ErrorIs(t, replace(name, []byte("old"), []byte("newer")), worktree.ErrChanged)
	requireAlone(t, name, "new")
	require.Empty(t, names(t, cache))
	require.Empty(t, names(t, temp))
}

// A file is removed only if it still holds a text.
func TestRemove(t *testing.T) {
	isolate(t)
	name := file(t, "new")
	require.ErrorIs(t, replace(name, []byte("old"), nil), worktree.ErrChanged)
	requireAlone(t, name, "new")
	require.NoError(t, replace(name, []byte("new"), nil))
	require.NoFileExists(t, name)
	require.ErrorIs(t, replace(name, []byte("new"), nil), fs.ErrNotExist)
}

// A new file never replaces an existing one, whatever that holds.
func TestCreate(t *testing.T) {
	isolate(t)
	name := filepath.Join(t.TempDir(), "a", "b", "x.md")
	require.NoError(t, os.Mkdir(filepath.Dir(filepath.Dir(name)), 0o755))
	tree := open(t, filepath.Dir(filepath.Dir(name)))
	require.NoError(t, tree.Replace("b/x.md", nil, []byte("new")))
	requireAlone(t, name, "new")
	require.ErrorIs(t, tree.Replace("b/x.md", nil, []byte("newer")), worktree.ErrChanged)
	require.NoError(t, os.WriteFile(name, nil, 0o644))
	require.ErrorIs(t, tree.Replace("b/x.md", nil, []byte("newer")), worktree.ErrChanged)
	requireAlone(t, name, "")
}

// An existing private file is replaced, whatever its text and mode.
func TestPrivateFiles(t *testing.T) {
	isolate(t)
	name := filepath.Join(t.TempDir(), "new", "x.json")
	for _, text := range []string{"one", "two"} {
		require.NoError(t, worktree.WritePrivate(name, []byte(text)))
		requireAlone(t, name, text)
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.True(t, runtime.GOOS == "windows" || info.Mode().Perm() == 0o600)
		require.NoError(t, os.Chmod(name, 0o644))
	}
	require.ErrorIs(t, worktree.UpdatePrivate(name, func() ([]byte, error) { return nil, fs.ErrClosed }), fs.ErrClosed)
	requireAlone(t, name, "two")
}

// A name may be as long as the file system allows.
func TestTheLongestName(t *testing.T) {
	isolate(t)
	name := filepath.Join(t.TempDir(), strings.Repeat("ü", 126)+".md")
	for now, after := range map[string][]byte{"a\n": []byte("a\n"), "": nil} {
		before, _ := os.ReadFile(name)
		require.NoError(t, replace(name, before, after))
		if now != "" {
			requireAlone(t, name, now)
		}
	}
}
