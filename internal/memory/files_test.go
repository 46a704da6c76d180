package memory_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/memory"
)

// tree makes a tree of files that hold their own names as headings.
func tree(names ...string) fstest.MapFS {
	out := fstest.MapFS{}
	for _, name := range names {
		out[name] = &fstest.MapFile{Data: []byte("## " + name + "\n")}
	}
	return out
}

func decisionPaths(m *memory.Memory) []string {
	out := []string{}
	for _, f := range m.Files {
		out = append(out, f.Path)
	}
	return out
}

func TestLoadFindsTheDecisionFiles(t *testing.T) {
	all := tree("agents/index.md", "agents/decisions/b.md", "agents/decisions/a.md", "agents/decisions/sub/c.md",
		"agents/decisions/notes.txt", "docs/d.md", "top.md")
	for _, c := range []struct {
		name  string
		globs []string
		want  []string
	}{
		{"sorted", []string{"agents/decisions/*.md"}, []string{"agents/decisions/a.md", "agents/decisions/b.md"}},
		{"sorted over globs", []string{"docs/*.md", "agents/decisions/*.md"}, []string{"agents/decisions/a.md", "agents/decisions/b.md", "docs/d.md"}},
		{"globs that overlap name a file once", []string{"agents/decisions/*.md", "agents/decisions/a.md", "agents/**/a.md"}, []string{"agents/decisions/a.md", "agents/decisions/b.md"}},
		{"** crosses folders, no and many", []string{"agents/decisions/**/*.md"}, []string{"agents/decisions/a.md", "agents/decisions/b.md", "agents/decisions/sub/c.md"}},
		{"the index is no decision file", []string{"agents/*.md", "agents/index.md"}, []string{}},
		{"nor by **", []string{"**/*.md"}, []string{"agents/decisions/a.md", "agents/decisions/b.md", "agents/decisions/sub/c.md", "docs/d.md", "top.md"}},
		{"two folders", []string{"docs/*.md", "agents/decisions/sub/*.md"}, []string{"agents/decisions/sub/c.md", "docs/d.md"}},
		{"a glob need not be clean", []string{"./docs//*.md"}, []string{"docs/d.md"}},
		{"a file that is named", []string{"docs/d.md", "./agents//decisions/b.md"}, []string{"agents/decisions/b.md", "docs/d.md"}},
		{"folders are left out", []string{"agents/decisions/*", "docs/**"}, []string{"agents/decisions/a.md", "agents/decisions/b.md", "agents/decisions/notes.txt", "docs/d.md"}},
		{"no file matches", []string{"docs/*.txt"}, []string{}},
		{"the folder is missing", []string{"none/*.md", "none/**/*.md"}, []string{}},
		{"no glob", nil, []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := memory.Open(all, memory.Layout{Index: "agents/index.md", Decisions: c.globs})
			require.NoError(t, err)
			require.Equal(t, c.want, decisionPaths(m))
			for _, f := range m.Files {
				require.Equal(t, all[f.Path].Data, f.Source)
				require.Equal(t, f.Path, f.Headings[0].Title, "it is parsed")
			}
			require.Equal(t, "agents/index.md", m.Layout.Index)
			require.False(t, m.IndexMissing)
			require.Equal(t, "agents/index.md", m.Index.Sections[0].Path, "it is parsed")
			require.Equal(t, fs.FS(all), m.Source)
		})
	}
}

func TestAMissingIndexIsNoErrorAndIsToldFromAnEmptyOne(t *testing.T) {
	for _, c := range []struct {
		name    string
		files   fstest.MapFS
		missing bool
	}{
		{"nothing at all", fstest.MapFS{}, true},
		{"no index", tree("agents/decisions/a.md"), true},
		{"empty index", fstest.MapFS{"agents/index.md": {}, "agents/decisions/a.md": {}}, false},
	} {
		m, err := memory.Open(c.files, memory.Layout{Index: "agents/index.md", Decisions: []string{"agents/decisions/*.md"}})
		require.NoError(t, err, c.name)
		require.Equal(t, c.missing, m.IndexMissing, c.name)
		require.NotNil(t, m.Index, c.name)
		require.Empty(t, m.Index.Lines, c.name)
		require.Equal(t, c.files["agents/decisions/a.md"] != nil, len(m.Files) == 1, c.name)
	}
}

// Load says which of the files it is about, and reads none in its place.
func TestLoadPassesNothingOver(t *testing.T) {
	broken := fstest.MapFile{Data: []byte("# x\n\xff\n")}
	folder := fstest.MapFile{Mode: fs.ModeDir}
	const glob = "decisions/*.md"
	for _, c := range []struct {
		name string
		file fstest.MapFile
		glob string
		want string
	}{
		{"index.md", broken, glob, "memory index index.md:2 is not UTF-8"},
		{"index.md", folder, glob, "memory index index.md is a folder: "},
		{"decisions/b.md", broken, glob, "decision file decisions/b.md:2 is not UTF-8"},
		{"decisions/b.md", broken, "decisions/b.md", "decision file decisions/b.md:2 is not UTF-8"},
		{"decisions/b.md", folder, glob, "decision file decisions/b.md is a folder: "},
		{"decisions/b.md", folder, "**", "decision file decisions/b.md is a folder: "},
		{"decisions/b.md", folder, "decisions/b.md", "decision file decisions/b.md is a folder: "},
		{"else.md", fstest.MapFile{}, "decisions/[.md", `decision files "decisions/[.md": `},
		{"else.md", fstest.MapFile{}, "decisions/none.md", "decision file decisions/none.md: "},
		{"else.md", fstest.MapFile{}, "./none//a.md", "decision file none/a.md: "},
	} {
		files := tree("index.md", "decisions/a.md")
		files[c.name] = &c.file
		m, err := memory.Open(files, memory.Layout{Index: "index.md", Decisions: []string{c.glob}})
		if err == nil && len(m.Problems) > 0 {
			err = m.Problems[0]
		}
		require.ErrorContains(t, err, c.want)
	}
}

// A file that is named must exist: otherwise, a typo in its name would go unnoticed.
func TestAMissingFileThatIsNamedIsNoMissingIndex(t *testing.T) {
	m, err := memory.Open(tree("index.md"), memory.Layout{Index: "index.md", Decisions: []string{"a.md", "*.md"}})
	require.NoError(t, err)
	require.Len(t, m.Problems, 1)
	require.ErrorIs(t, m.Problems[0], fs.ErrNotExist)
	require.ErrorContains(t, m.Problems[0], "decision file a.md: ")
}

// A link to a folder may lead in a circle or out of the repository.
func TestLinks(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "m", "sub"), 0o755))
	for _, name := range []string{filepath.Join(dir, "m", "a.md"), filepath.Join(dir, "m", "sub", "b.md"), filepath.Join(outside, "c.md")} {
		require.NoError(t, os.WriteFile(name, nil, 0o644))
	}
	for _, link := range []struct{ name, target string }{
		{"m/link.md", "a.md"}, {"m/sub/up", ".."}, {"m/linked", "sub"}, {"m/out", outside}, {"m/nothing", "none"}, {"gone.md", filepath.Join(outside, "c.md")},
	} {
		if err := os.Symlink(link.target, filepath.Join(dir, filepath.FromSlash(link.name))); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	defer root.Close()
	for _, c := range []struct {
		glob string
		want []string
	}{
		{"m/*.md", []string{"m/a.md", "m/link.md"}},
		{"m/**/*.md", []string{"m/a.md", "m/link.md", "m/sub/b.md"}},
		{"**/[abc].md", []string{"m/a.md", "m/sub/b.md"}},
		{"m/linked/*.md", []string{"m/linked/b.md"}}, // a link that is named is followed
	} {
		m, err := memory.Open(root.FS(), memory.Layout{Index: "index.md", Decisions: []string{c.glob}})
		require.NoError(t, err, c.glob)
		require.Equal(t, c.want, decisionPaths(m), c.glob)
	}
	m, err := memory.Open(root.FS(), memory.Layout{Index: "index.md", Decisions: []string{"**/*.md"}})
	require.NoError(t, err)
	require.ErrorContains(t, m.Problems[0], "decision file gone.md is a symbolic link that cannot be followed")
}

// Files may be read at the same time. Neither their order nor the error of a run may depend on which is faster.
func TestLoadOfManyFilesIsTheSameEachTime(t *testing.T) {
	layout := memory.Layout{Index: "index.md", Decisions: []string{"*.md"}}
	var want []string
	for i := range 300 {
		want = append(want, fmt.Sprintf("%03d.md", i))
	}
	files := tree(want...)
	m, err := memory.Open(files, layout)
	require.NoError(t, err)
	require.Equal(t, want, decisionPaths(m))
	for _, f := range m.Files {
		require.Equal(t, f.Path, f.Headings[0].Title)
	}

	for _, broken := range []string{"007.md", "008.md", "299.md"} {
		files[broken].Data = []byte{0xff}
	}
	files["007.md"].Data = append([]byte(strings.Repeat("x\n", 1<<16)), 0xff) // the first takes longest
	for range 20 {
		m, err := memory.Open(files, layout)
		require.NoError(t, err)
		require.Len(t, m.Problems, 3)
		require.ErrorContains(t, m.Problems[0], "decision file 007.md:65537 ")
		require.Equal(t, 65537, m.Problems[0].Line)
		require.Len(t, m.Files, 297, "each costs only its own decisions")
	}
}

// locked is a tree whose folders cannot be listed.
type locked struct{ fstest.MapFS }

func (locked) ReadDir(name string) ([]fs.DirEntry, error) {
	return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrPermission}
}

func TestAFolderThatCannotBeListedIsNotTakenAsEmpty(t *testing.T) {
	for _, glob := range []string{"m/*.md", "m/**/*.md"} {
		_, err := memory.Open(locked{tree("m/a.md")}, memory.Layout{Index: "index.md", Decisions: []string{glob}})
		require.ErrorIs(t, err, fs.ErrPermission)
		require.ErrorContains(t, err, `decision files "`+glob+`": `)
	}
}
