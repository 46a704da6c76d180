package memory_test

import (
	"io/fs"
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
	for _, f := range m.Decisions {
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
		{"braces", []string{"{docs,agents/decisions/sub}/*.md"}, []string{"agents/decisions/sub/c.md", "docs/d.md"}},
		{"a glob need not be clean", []string{"./docs//*.md"}, []string{"docs/d.md"}},
		{"no file matches", []string{"docs/*.txt"}, []string{}},
		{"the folder is missing", []string{"none/*.md", "none/**/*.md"}, []string{}},
		{"no glob", nil, []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := memory.Load(all, memory.Layout{Index: "agents/index.md", Decisions: c.globs})
			require.NoError(t, err)
			require.Equal(t, c.want, decisionPaths(m))
			for _, f := range m.Decisions {
				require.Equal(t, all[f.Path].Data, f.Source)
				require.Equal(t, f.Path, f.Headings[0].Title, "it is parsed")
			}
			require.Equal(t, "agents/index.md", m.IndexPath)
			require.False(t, m.IndexMissing)
			require.Equal(t, "agents/index.md", m.Index.Sections[0].Path, "it is parsed")
			require.Equal(t, fs.FS(all), m.Tree)
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
		m, err := memory.Load(c.files, memory.Layout{Index: "agents/index.md", Decisions: []string{"agents/decisions/*.md"}})
		require.NoError(t, err, c.name)
		require.Equal(t, c.missing, m.IndexMissing, c.name)
		require.NotNil(t, m.Index, c.name)
		require.Empty(t, m.Index.Lines, c.name)
		require.Equal(t, c.files["agents/decisions/a.md"] != nil, len(m.Decisions) == 1, c.name)
	}
}

// Load says which of the files it is about, and reads none in its place.
func TestLoadPassesNothingOver(t *testing.T) {
	layout := memory.Layout{Index: "index.md", Decisions: []string{"decisions/*.md"}}
	for name, want := range map[string]string{
		"index.md":       "memory index index.md:2 is not UTF-8",
		"decisions/b.md": "decision file decisions/b.md:2 is not UTF-8",
	} {
		files := tree("index.md", "decisions/a.md", "decisions/b.md")
		files[name].Data = []byte("# x\n\xff\n")
		m, err := memory.Load(files, layout)
		require.ErrorContains(t, err, want)
		require.Nil(t, m)
	}
	_, err := memory.Load(tree("index.md"), memory.Layout{Index: "index.md", Decisions: []string{"decisions/[.md"}})
	require.ErrorContains(t, err, "decision files decisions/[.md: ")
}

// brokenFile fails when it is read, after it was opened.
type brokenFile struct{ fs.FS }

func (b brokenFile) Open(name string) (fs.File, error) {
	f, err := b.FS.Open(name)
	return reader{f}, err
}

type reader struct{ fs.File }

func (r reader) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: "/elsewhere", Err: fs.ErrPermission}
}

func TestReadTextReportsThatAFileCannotBeRead(t *testing.T) {
	_, err := memory.ReadText(brokenFile{tree("a.md")}, "a.md")
	require.ErrorIs(t, err, fs.ErrPermission)
	require.True(t, strings.HasPrefix(err.Error(), "a.md: "), err.Error())
}

func TestReadTextReturnsTheBytes(t *testing.T) {
	for _, text := range []string{"", "a", "a\n", "a\r\nb\r\n", "\uFEFFa\n", "ü 日 \U0001F600\n", "\uFFFD\n", "mixed\rends\n"} {
		got, err := memory.ReadText(fstest.MapFS{"a.md": {Data: []byte(text)}}, "a.md")
		require.NoError(t, err, "%q", text)
		require.Equal(t, text, string(got))
	}
}

func TestReadTextRefusesWhatIsNoText(t *testing.T) {
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
		_, err := memory.ReadText(fstest.MapFS{"a.md": {Data: []byte(c.text)}}, "a.md")
		require.EqualError(t, err, c.want+advice, c.name)
	}
}
