package files_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/files"
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

// file makes a file in a new folder.
func file(t *testing.T, content string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "memory-index.md")
	require.NoError(t, os.WriteFile(name, []byte(content), 0o644))
	return name
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
			require.NoError(t, files.Replace(name, []byte(c.base), []byte(c.data)))
			requireAlone(t, name, c.data)
		})
	}
}

func TestReplaceTakesARelativeName(t *testing.T) {
	isolate(t)
	name := file(t, "old")
	t.Chdir(filepath.Dir(name))
	require.NoError(t, files.Replace(filepath.Base(name), []byte("old"), []byte("new")))
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
		require.NoError(t, files.Replace(name, []byte("old"), []byte("new")))
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
	require.NoError(t, files.Replace(name, []byte("same"), []byte("same")))
	after, err := os.Stat(name)
	require.NoError(t, err)
	require.True(t, after.ModTime().Equal(past))
	require.True(t, os.SameFile(before, after))
}

func TestReplaceRefusesAChangedFile(t *testing.T) {
	isolate(t)
	for _, now := range []string{"", "changed", "base and more", "Base"} {
		name := file(t, now)
		require.ErrorIs(t, files.Replace(name, []byte("base"), []byte("new")), files.ErrChanged)
		requireAlone(t, name, now)
	}
}

func TestReplaceRefusesWhatIsNoRegularFile(t *testing.T) {
	isolate(t)
	t.Run("missing file", func(t *testing.T) {
		name := filepath.Join(t.TempDir(), "x.md")
		require.ErrorIs(t, files.Replace(name, nil, []byte("new")), fs.ErrNotExist)
		require.Empty(t, names(t, filepath.Dir(name)))
	})
	t.Run("missing folder", func(t *testing.T) {
		name := filepath.Join(t.TempDir(), "no", "x.md")
		require.ErrorIs(t, files.Replace(name, nil, []byte("new")), fs.ErrNotExist)
		require.NoDirExists(t, filepath.Dir(name))
	})
	t.Run("folder", func(t *testing.T) {
		name := t.TempDir()
		require.ErrorContains(t, files.Replace(name, nil, []byte("new")), name+" is not a regular file")
		require.DirExists(t, name)
	})
	t.Run("symbolic link", func(t *testing.T) {
		target := file(t, "old")
		link := filepath.Join(t.TempDir(), "x.md")
		if err := os.Symlink(target, link); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
		require.ErrorContains(t, files.Replace(link, []byte("old"), []byte("new")), link+" is not a regular file")
		got, err := os.Readlink(link)
		require.NoError(t, err)
		require.Equal(t, target, got)
		requireAlone(t, target, "old")
	})
}

// The folder is writable: only the mode of the file forbids the replacement.
func TestReplaceRefusesAReadOnlyFile(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write any file")
	}
	isolate(t)
	name := file(t, "old")
	require.NoError(t, os.Chmod(name, 0o444))
	require.ErrorIs(t, files.Replace(name, []byte("old"), []byte("new")), fs.ErrPermission)
	requireAlone(t, name, "old")
}

func TestReplaceInAReadOnlyFolderFailsAndLeavesTheFileAlone(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("the mode of a folder keeps nobody out here")
	}
	isolate(t)
	name := file(t, "old")
	require.NoError(t, os.Chmod(filepath.Dir(name), 0o555))
	require.ErrorIs(t, files.Replace(name, []byte("old"), []byte("new")), fs.ErrPermission)
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
	require.NoError(t, files.Replace(name, []byte("old"), []byte("new")))
	require.ElementsMatch(t, want, names(t, filepath.Dir(name)))
}

// The next write removes what killed writers of this very file have left, also if nothing has to be
// written; nothing else, however alike.
func TestATemporaryFileOfAKilledWriterIsRemoved(t *testing.T) {
	isolate(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	others := []string{".f.whence-", ".f.whence-1x", ".f.whence-x", ".f.whence--1", ".f.whence-1.2", ".f.whence-1/", ".g.whence-1", ".f.g.whence-1", "f.whence-1", ".f.whence-2"}
	for _, name := range others {
		if folder, isFolder := strings.CutSuffix(name, "/"); isFolder {
			require.NoError(t, os.Mkdir(at(folder), 0o700))
			continue
		}
		if name == ".f.whence-2" {
			if err := os.Symlink("f.whence-1", at(name)); err == nil {
				continue
			}
		}
		if name != ".f.whence-2" {
			require.NoError(t, os.WriteFile(at(name), []byte("half"), 0o600))
		}
	}
	before := names(t, dir)
	old := time.Now().Add(-time.Hour) // older than staleAfter, where folders cannot be locked
	folder, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer folder.Close()
	for _, step := range []struct {
		what  string
		write func() error
		is    bool // there is a file then
	}{
		{"create", func() error { return files.Create(at("f"), []byte("old")) }, true},
		{"create again", func() error {
			require.ErrorIs(t, files.Create(at("f"), []byte("new")), fs.ErrExist)
			return nil
		}, true},
		{"replace", func() error { return files.Replace(at("f"), []byte("old"), []byte("new")) }, true},
		{"equal", func() error { return files.Replace(at("f"), []byte("new"), []byte("new")) }, true},
		{"remove", func() error { return files.RemoveIn(folder, "f", []byte("new")) }, false},
		{"private", func() error { return files.WritePrivate(at("f"), []byte("own")) }, true},
	} {
		left := at(".f.whence-123")
		require.NoError(t, os.WriteFile(left, []byte("half"), 0o600))
		require.NoError(t, os.Chtimes(left, old, old))
		require.NoError(t, step.write(), step.what)
		want := slices.Clone(before)
		if step.is {
			want = append(want, "f")
		}
		require.ElementsMatch(t, want, names(t, dir), step.what)
	}
}

func TestReplaceLeavesNothingElsewhere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be locked here")
	}
	cache, temp := isolate(t)
	name := file(t, "old")
	require.NoError(t, files.Replace(name, []byte("old"), []byte("new")))
	require.ErrorIs(t, files.Replace(name, []byte("old"), []byte("newer")), files.ErrChanged)
	requireAlone(t, name, "new")
	require.Empty(t, names(t, cache))
	require.Empty(t, names(t, temp))
}

// Services and sandboxes run without a home, or with one that cannot be used.
func TestWhereAFolderCannotBeLockedLocksLieInTheCacheFolderElseInTheTempFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may lock any folder")
	}
	for _, c := range []struct {
		name string
		set  func(t *testing.T, cache string)
		temp int
	}{
		{"cache folder", func(*testing.T, string) {}, 0},
		{"none is set", func(t *testing.T, _ string) { setAll(t, cacheVariables, "") }, 1},
		{"it cannot be made", func(t *testing.T, cache string) {
			notAFolder := filepath.Join(cache, "file")
			require.NoError(t, os.WriteFile(notAFolder, nil, 0o644))
			setAll(t, cacheVariables, notAFolder)
		}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache, temp := isolate(t)
			c.set(t, cache)
			name := file(t, "old")
			var want error
			if runtime.GOOS != "windows" { // a folder that may not be read can neither be locked nor searched for stale files
				require.NoError(t, os.Chmod(filepath.Dir(name), 0o300))
				want = fs.ErrPermission
			}
			require.ErrorIs(t, files.Replace(name, []byte("old"), []byte("new")), want)
			require.NoError(t, os.Chmod(filepath.Dir(name), 0o755))
			require.Len(t, names(t, filepath.Dir(name)), 1)
			require.Len(t, locks(t, temp), c.temp)
			require.Len(t, locks(t, cache), 1-c.temp)
		})
	}
}

// locks lists the lock files below a folder, and requires that others cannot
// read the folder in which they lie.
func locks(t *testing.T, below string) (found []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(below, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".lock" {
			return err
		}
		found = append(found, path)
		info, err := os.Stat(filepath.Dir(path))
		if err == nil && runtime.GOOS != "windows" {
			require.Equal(t, fs.FileMode(0o700), info.Mode().Perm())
		}
		return err
	}))
	return found
}

// A file is removed only if it still holds base.
func TestRemove(t *testing.T) {
	dir := t.TempDir()
	folder, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer folder.Close()
	name := filepath.Join(dir, "f")
	require.NoError(t, os.WriteFile(name, []byte("new"), 0o644))
	require.ErrorIs(t, files.RemoveIn(folder, "f", []byte("old")), files.ErrChanged)
	require.FileExists(t, name)
	require.NoError(t, files.RemoveIn(folder, "f", []byte("new")))
	require.NoFileExists(t, name)
	require.ErrorIs(t, files.RemoveIn(folder, "f", nil), fs.ErrNotExist)
}
