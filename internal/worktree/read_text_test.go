package worktree_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/worktree"
)

// repository opens a real folder with the memory folder "m", which setup fills.
func repository(t *testing.T, setup func(m string) error) fs.FS {
	t.Helper()
	dir := t.TempDir()
	m := filepath.Join(dir, "m")
	require.NoError(t, os.Mkdir(m, 0o755))
	if err := setup(m); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("not on this system: ", err)
	} else {
		require.NoError(t, err)
	}
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, root.Close()) })
	return root.FS()
}

func write(content string) func(string) error {
	return func(m string) error { return os.WriteFile(filepath.Join(m, "x.md"), []byte(content), 0o644) }
}

func link(target string) func(string) error {
	return func(m string) error { return os.Symlink(target, filepath.Join(m, "x.md")) }
}

func sparse(size int64) func(string) error {
	return func(m string) error {
		return errors.Join(write("")(m), os.Truncate(filepath.Join(m, "x.md"), size))
	}
}

// For any fault of a file, the message is one line that begins with the name of the file and ends with what to do.
func TestReadSaysWhatToDo(t *testing.T) {
	const remove = ": put a text file in its place, or remove it"
	const save = ": save it as UTF-8 text with LF or CRLF line ends"
	outside := filepath.Join(t.TempDir(), "outside.md")
	require.NoError(t, os.WriteFile(outside, []byte("# Outside\n"), 0o644))
	for _, c := range []struct {
		name  string
		setup func(m string) error
		want  string
	}{
		{"folder", func(m string) error { return os.Mkdir(filepath.Join(m, "x.md"), 0o755) }, "m/x.md is a folder: put a text file in its place"},
		{"link to nothing", link("none.md"), "m/x.md is a symbolic link that cannot be followed (no such file or directory)" + remove},
		{"link to a folder", link("."), "m/x.md is a folder: put a text file in its place"},
		{"link out of the repository", link(outside), "m/x.md is a symbolic link that cannot be followed (path escapes from parent)" + remove},
		{"relative link out of the repository", link("../../outside.md"), "m/x.md is a symbolic link that cannot be followed (path escapes from parent)" + remove},
		{"larger than MaxSize", sparse(worktree.MaxTextBytes + 1), "m/x.md is larger than 4 MB: split it"},
		{"as large as MaxSize, so it is read", sparse(worktree.MaxTextBytes), "m/x.md:1 holds a NUL byte" + save},
	} {
		t.Run(c.name, func(t *testing.T) {
			repo := repository(t, c.setup)
			_, err := worktree.ReadText(repo, "m/x.md")
			require.EqualError(t, err, c.want)
			require.NotErrorIs(t, err, fs.ErrNotExist, "it is there, so no caller may take it as missing")
			require.NotContains(t, err.Error(), "\n")
			require.Equal(t, strings.Contains(c.want, "is a folder"), errors.Is(err, worktree.ErrFolder))
		})
	}
}

func TestReadFollowsALinkInside(t *testing.T) {
	repo := repository(t, func(m string) error {
		return errors.Join(os.WriteFile(filepath.Join(m, "real.md"), []byte("# Real\n"), 0o644), link("real.md")(m))
	})
	text, err := worktree.ReadText(repo, "m/x.md")
	require.NoError(t, err)
	require.Equal(t, "# Real\n", string(text))
}

// A path that goes through a file is a missing file.
func TestReadOfAMissingFile(t *testing.T) {
	repo := repository(t, write("# A file\n"))
	for _, name := range []string{"m/none.md", "none/x.md", "m/x.md/y.md", "m/x.md/y/z.md"} {
		_, err := worktree.ReadText(repo, name)
		require.ErrorIs(t, err, fs.ErrNotExist, name)
		require.ErrorContains(t, err, name+": ")
	}
}

// locked is a tree whose files can be listed but not opened.
type locked struct{ fstest.MapFS }

func (locked) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: "/elsewhere/" + name, Err: fs.ErrPermission}
}

// closed is a tree whose files cannot even be listed.
type closed struct{ locked }

func (c closed) Stat(name string) (fs.FileInfo, error) {
	_, err := c.Open(name)
	return nil, err
}

// unreadable is a tree whose files fail when they are read.
type unreadable struct{ fs.FS }

func (u unreadable) Open(name string) (fs.File, error) {
	f, err := u.FS.Open(name)
	return unreadableFile{f}, err
}

type unreadableFile struct{ fs.File }

func (unreadableFile) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: "/elsewhere", Err: fs.ErrPermission}
}

func TestReadNamesAFileThatItMayNotRead(t *testing.T) {
	repo := fstest.MapFS{"m/a.md": {}}
	for _, tree := range []fs.FS{locked{repo}, closed{locked{repo}}, unreadable{repo}} {
		_, err := worktree.ReadText(tree, "m/a.md")
		require.EqualError(t, err, "m/a.md cannot be read (permission denied): check who may read it")
		require.ErrorIs(t, err, fs.ErrPermission)
	}
}

func TestReadReturnsTheBytes(t *testing.T) {
	for _, text := range []string{"", "a", "a\n", "a\r\nb\r\n", "\uFEFFa\n", "ü 日 \U0001F600\n", "\uFFFD\n", "mixed\rends\n"} {
		got, err := worktree.ReadText(fstest.MapFS{"a.md": {Data: []byte(text)}}, "a.md")
		require.NoError(t, err, "%q", text)
		require.Equal(t, text, string(got))
	}
}

func TestReadRefusesWhatIsNoText(t *testing.T) {
	const advice = ": save it as UTF-8 text with LF or CRLF line ends"
	for _, c := range []struct{ name, text, want string }{
		{"NUL", "a\nb\x00\n", "a.md:2 holds a NUL byte"},
		{"UTF-16", "a\x00\n\x00", "a.md:1 holds a NUL byte"},
		{"Latin-1 in the first line", "\xfcber\n", "a.md:1 is not UTF-8"},
		{"Latin-1 below non-ASCII text", "ü\r\n日\r\n\r\nna\xefve\r\n", "a.md:4 is not UTF-8"},
		{"cut in a character", "a\n\xe6\x97", "a.md:2 is not UTF-8"},
		{"surrogate", "\xed\xa0\x80", "a.md:1 is not UTF-8"},
		{"behind a replacement character, which is valid", "\uFFFD\n\xff", "a.md:2 is not UTF-8"},
		{"bare carriage returns", "a\rb\r", "a.md:1 has bare carriage returns as line ends"},
	} {
		_, err := worktree.ReadText(fstest.MapFS{"a.md": {Data: []byte(c.text)}}, "a.md")
		require.EqualError(t, err, c.want+advice, c.name)
	}
}

// A file that grows while it is read must not fill the memory, so its size is checked again. This one claims to be
// small and never ends.
func TestReadStopsAtMaxSize(t *testing.T) {
	_, err := worktree.ReadText(endless{fstest.MapFS{"x.md": {}}}, "x.md")
	require.EqualError(t, err, "x.md is larger than 4 MB: split it")
}

type endless struct{ fs.FS }

func (e endless) Open(name string) (fs.File, error) {
	f, err := e.FS.Open(name)
	return endlessFile{f}, err
}

type endlessFile struct{ fs.File }

func (endlessFile) Read(p []byte) (int, error) { return len(p), nil }
