package memory_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/memory"
)

// A path is held exactly if it is the index, or Paths lists it where there is such a file.
func TestHolds(t *testing.T) {
	names := []string{
		"agents/index.md", "agents/decisions/a.md", "agents/decisions/.#a.md", "agents/decisions/a.txt", "agents/decisions/sub/b.md",
		"agents/decisions/sub/.c.md", ".hidden/d.md", "docs/e.md", "docs/e.md.orig", "f.md", "agents/g[1].md",
	}
	all := tree(names...)
	for _, c := range []struct {
		globs []string
		want  int // how many, the index among them: else a glob that matches nothing would prove nothing
	}{
		{nil, 1},
		{[]string{"agents/decisions/*.md"}, 2},
		{[]string{"./agents//decisions/*.md"}, 2},
		{[]string{"agents/decisions/**/*.md"}, 3},
		{[]string{"**/*.md"}, 7},
		{[]string{"**/.*.md"}, 3},
		{[]string{"agents/decisions/.*"}, 2},
		{[]string{"docs/*.md", "agents/decisions/sub/*.md", "f.md"}, 4},
		{[]string{"./docs//e.md"}, 2},
		{[]string{`agents/g\[1\].md`}, 2},
		{[]string{"agents/decisions/?.md", "agents/*.md"}, 3},
	} {
		t.Run(fmt.Sprint(c.globs), func(t *testing.T) {
			layout := memory.Layout{Index: "agents/index.md", Decisions: c.globs}
			paths, err := memory.Paths(all, layout)
			require.NoError(t, err)
			held := 0
			for _, name := range names {
				want := name == layout.Index
				for _, p := range paths {
					want = want || p == name
				}
				require.Equal(t, want, layout.Holds(name), name)
				require.Equal(t, want, layout.Holds("./"+name), name)
				if want {
					held++
				}
			}
			require.Equal(t, c.want, held)
		})
	}
}

// A file that has been deleted, or is yet to be written, is held too; a bad glob holds none.
func TestHoldsNeedsNoFile(t *testing.T) {
	layout := memory.Layout{Index: "i.md", Decisions: []string{"[", "d/*.md"}}
	require.True(t, layout.Holds("d/new.md"))
	require.True(t, layout.Holds("i.md"))
	require.False(t, layout.Holds("d/sub/new.md"))
	require.False(t, layout.Holds(""))
}

// An exception leaves files out, whatever the other globs say.
func TestExceptions(t *testing.T) {
	layout := memory.Layout{
		Index: "agents/index.md", Decisions: []string{"agents/*.md", "!agents/draft-*.md"},
		Documents: []string{"docs/adr/*.md", "docs/adr/0002-b.md", "!docs/adr/0002-b.md"},
	}
	m, err := memory.Open(tree("agents/a.md", "agents/draft-b.md", "docs/adr/0001-a.md", "docs/adr/0002-b.md", "docs/adr/0003-c.md"), layout)
	require.NoError(t, err)
	require.Equal(t, []string{"agents/a.md", "docs/adr/0001-a.md", "docs/adr/0003-c.md"}, decisionPaths(m))
	require.True(t, layout.Holds("docs/adr/0003-c.md"))
	require.False(t, layout.Holds("docs/adr/0002-b.md"))
	require.False(t, layout.Holds("agents/draft-x.md"))
}
