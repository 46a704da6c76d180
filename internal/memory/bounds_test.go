package memory_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/memory"
	"whence/internal/repo"
	"whence/internal/shell"
	"whence/internal/worktree"
)

// However large the files of a repository are, at most 64 MB of them are memory, and 4 MB of each. Which ones depends
// only on their paths.
func TestAMemoryIsBounded(t *testing.T) {
	layout := memory.Layout{Index: "agents/z.md", Decisions: []string{"agents/decisions/*.md", "agents/z/*.md"}}
	for _, format := range []string{"sha1", "sha256"} { // go-git reads the first, git the second
		p := newPlace(t)
		p.dir = filepath.Join(filepath.Dir(p.dir), "bounds")
		require.NoError(t, os.Mkdir(p.dir, 0o777))
		p.git("init", "-q", "--object-format="+format)
		sized := func(name string, size int64) {
			path := filepath.Join(p.dir, filepath.FromSlash(name))
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
			require.NoError(t, os.WriteFile(path, nil, 0o666))
			require.NoError(t, os.Truncate(path, size))
		}
		sized("agents/z.md", 1<<20)
		for i := range 15 {
			sized(fmt.Sprintf("agents/decisions/%02d.md", i), 4<<20)
		}
		sized("agents/decisions/15.md", 4<<20+1)
		sized("agents/decisions/16.md", 3<<20+1)
		sized("agents/decisions/17.md", 3<<20)
		sized("agents/z/18.md", 1)
		p.git("add", "-A")

		open := map[string]func() (*memory.Source, error){
			"worktree": func() (*memory.Source, error) { return p.open(p.dir, layout) },
			"commit": func() (*memory.Source, error) {
				m, err := p.open(p.dir, layout)
				return m.Only(func(string) bool { return true }), err
			},
			"staged": func() (*memory.Source, error) {
				r, err := repo.Open(p.dir, p.dir, func(string) string { return "" })
				require.NoError(t, err)
				tree, err := r.Staged()
				require.NoError(t, err)
				return memory.OpenCommit(tree, ".", layout, shell.Typed{})
			},
		}
		for name, source := range open {
			t.Run(format+" "+name, func(t *testing.T) {
				m, err := source()
				require.NoError(t, err)
				var refused []string
				for _, r := range m.Refusals() {
					refused = append(refused, r.Error())
				}
				require.Equal(t, []string{
					"agents/decisions/15.md is larger than 4 MB, and so is not memory: split it",
					"agents/decisions/16.md exceeds the 64 MB that a memory may have in all, and so is not memory: remove decision files, or except some in the settings",
					"agents/z/18.md exceeds the 64 MB that a memory may have in all, and so is not memory: remove decision files, or except some in the settings",
				}, refused)
				paths, err := memory.Paths(m, layout)
				require.NoError(t, err)
				require.Len(t, paths, 16)
				_, err = fs.ReadFile(m, "agents/decisions/16.md")
				require.ErrorIs(t, err, fs.ErrNotExist)
				_, err = worktree.ReadText(m, "agents/decisions/00.md")
				require.ErrorContains(t, err, "NUL") // it is read
			})
		}
	}
}

// A tree that does not know the size of its files is bounded, too, and so are lines.
func TestReadingIsBounded(t *testing.T) {
	lines := func(n int) []byte { return bytes.Repeat([]byte("a\n"), n) }
	layout := memory.Layout{Index: "index.md", Decisions: []string{"*.md"}}
	tree := fstest.MapFS{
		"index.md": {Data: lines(100_001)}, "a.md": {Data: lines(100_000)}, "b.md": {Data: lines(100_001)}, "c.md": {Data: lines(49_999)},
		"d.md": {Data: lines(2)}, "e.md": {Data: []byte("## E\n")},
	}
	_, err := memory.Open(tree, layout)
	require.EqualError(t, err, "memory index index.md has more than 100000 lines: split it")
	layout.Index = "none.md"
	delete(tree, "index.md")
	delete(tree, "e.md")
	m, err := memory.Open(tree, layout)
	require.NoError(t, err)
	require.Equal(t, []string{
		"decision file b.md has more than 100000 lines: split it",
		"decision file d.md exceeds the 64 MB or 150000 lines that a memory may have in all: remove decision files, or except some in the settings",
	}, texts(m.Problems))

	wide := fstest.MapFS{}
	var names []string
	for i := range 17 {
		names = append(names, fmt.Sprintf("%02d.md", i))
		wide[names[i]] = &fstest.MapFile{Data: bytes.Repeat([]byte("a"), 4<<20)}
	}
	m, err = memory.Open(wide, layout)
	require.NoError(t, err)
	require.Len(t, m.Problems, 1)
	require.ErrorContains(t, m.Problems[0], "decision file 16.md exceeds the 64 MB")
}

func texts(problems []memory.Problem) (all []string) {
	for _, p := range problems {
		all = append(all, p.Error())
	}
	return all
}
