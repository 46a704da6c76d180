package memory_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/memory"
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
	opened, err := worktree.Open(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, opened.Close()) })
	return opened.FS()
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

// Whatever is wrong with a file, the message is one line that begins with its
// name and ends with what to do.
func TestReadTextSaysWhatToDo(t *testing.T) {
	const save = ": save it as UTF-8 text with LF or CRLF line ends"
	outside := filepath.Join(t.TempDir(), "outside.md")
	require.NoError(t, os.WriteFile(outside, []byte("# Outside\n"), 0o644))
	for _, c := range []struct {
		name  string
		setup func(m string) error
		want  string
	}{
		{"folder", func(m string) error { return os.Mkdir(filepath.Join(m, "x.md"), 0o755) }, "m/x.md is a folder: name a Markdown file"},
		{"link to nothing", link("none.md"), "m/x.md is a symbolic link to nothing: restore its target or remove the link"},
		{"link to a folder", link("."), "m/x.md is a folder: name a Markdown file"},
		{"link out of the repository", link(outside), "m/x.md is a symbolic link that cannot be followed (path escapes from parent): it must stay inside of the repository"},
		{"relative link out of the repository", link("../../outside.md"), "m/x.md is a symbolic link that cannot be followed (path escapes from parent): it must stay inside of the repository"},
		{"NUL", write("a\n\x00"), "m/x.md:2 holds a NUL byte" + save},
		{"invalid UTF-8", write("a\nb\n\xff\n"), "m/x.md:3 is not UTF-8" + save},
		{"bare CR", write("a\rb\r"), "m/x.md:1 has bare carriage returns as line ends" + save},
		{"larger than MaxSize", sparse(memory.MaxSize + 1), "m/x.md is larger than 32 MB: split it"},
		{"as large as MaxSize, so it is read", sparse(memory.MaxSize), "m/x.md:1 holds a NUL byte" + save},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := repository(t, c.setup)
			_, err := memory.ReadText(files, "m/x.md")
			require.EqualError(t, err, c.want)
			require.NotErrorIs(t, err, fs.ErrNotExist, "it is there, so no caller may take it as missing")
			require.NotContains(t, err.Error(), "\n")

			_, err = memory.Load(files, memory.Layout{Index: "index.md", Decisions: []string{"m/*.md"}})
			require.EqualError(t, err, "decision file "+c.want)
			_, err = memory.Load(files, memory.Layout{Index: "m/x.md"})
			require.EqualError(t, err, "memory index "+c.want)
		})
	}
}

func TestReadTextFollowsALinkInside(t *testing.T) {
	files := repository(t, func(m string) error {
		return errors.Join(os.WriteFile(filepath.Join(m, "real.md"), []byte("# Real\n"), 0o644), link("real.md")(m))
	})
	text, err := memory.ReadText(files, "m/x.md")
	require.NoError(t, err)
	require.Equal(t, "# Real\n", string(text))
}

func TestReadTextOfAMissingFile(t *testing.T) {
	files := repository(t, func(string) error { return nil })
	for _, name := range []string{"m/none.md", "none/x.md"} {
		_, err := memory.ReadText(files, name)
		require.ErrorIs(t, err, fs.ErrNotExist)
		require.ErrorContains(t, err, name+": ")
	}
}

// A file that grows while it is read must not fill the memory: its size is
// checked again. This one says it is small and never ends.
func TestReadTextStopsAtMaxSize(t *testing.T) {
	_, err := memory.ReadText(endless{tree("x.md")}, "x.md")
	require.EqualError(t, err, "x.md is larger than 32 MB: split it")
}

type endless struct{ fs.FS }

func (e endless) Open(name string) (fs.File, error) {
	f, err := e.FS.Open(name)
	return endlessFile{f}, err
}

type endlessFile struct{ fs.File }

func (endlessFile) Read(p []byte) (int, error) { return len(p), nil }
