package memory_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/memory"
)

var modelLayout = memory.Layout{Index: "agents/index.md", Decisions: []string{"agents/decisions/*.md"}, Documents: []string{"docs/adr/*.md"}}

func TestPointers(t *testing.T) {
	m, err := memory.Open(fstest.MapFS{
		"agents/index.md": {Data: []byte("## agents/decisions/a.md\n\n/when one | First | d\n/when one again | first | d\n/when two | Second | d\n" +
			"/when none | Missing | d\n/when both | Twice | d\n\n## docs/adr/\n\n/when old | Old way | d\n")},
		"agents/decisions/a.md": {Data: []byte("# A\n\n## .Group\n\n### First\nText.\n\n## Second\n")},
		"agents/decisions/b.md": {Data: []byte("# B\n\n## Twice\n")},
		"agents/decisions/c.md": {Data: []byte("# C\n\n## Twice\n")},
		"agents/decisions/d.md": {Data: []byte("# D\n\n## Broken \xff\n")},
		"docs/adr/0001-old.md":  {Data: []byte("# Old way\n\n## Status\n\nSuperseded by [new](0002-new.md)\n")},
		"docs/adr/0002-new.md":  {Data: []byte("# New way\n\n## Status\n\nAccepted\n")},
	}, modelLayout)
	require.NoError(t, err)

	one, again, none, both, old := m.Entries[0], m.Entries[1], m.Entries[3], m.Entries[4], m.Entries[5]
	first := m.Semantic("First")[0]
	require.Same(t, first, one.Heading)
	require.Same(t, first, again.Heading)
	require.Equal(t, []*memory.Entry{one, again}, first.Entries)
	require.Equal(t, ".Group", first.Parent.Title)
	require.Same(t, first.Parent, m.Structural("group")[0])
	require.Equal(t, []*memory.Heading{first.Parent}, m.Titled(".Group"))
	require.Nil(t, none.Heading)
	require.True(t, both.Ambiguous)
	require.Equal(t, "agents/decisions/b.md", both.Heading.File.Path)
	require.True(t, old.Heading.Gone)
	require.Equal(t, "New way", old.Heading.Successor.Title)
	require.False(t, old.Heading.Successor.Gone)
	require.Equal(t, []*memory.Entry{one}, m.Keyed(index.Key{Operator: "when", Trigger: "one"}))
	require.Same(t, one, m.EntryAt(one.Line))

	require.Len(t, m.Problems, 1, "it costs only its own decisions")
	require.Equal(t, "agents/decisions/d.md", m.Problems[0].Path)
	require.Equal(t, 3, m.Problems[0].Line)
	require.Equal(t, "is not UTF-8", m.Problems[0].Reason)
	require.NotEmpty(t, m.Problems[0].Remedy)
	require.Contains(t, m.Paths, "agents/decisions/d.md")
	require.Nil(t, m.File("agents/decisions/d.md"))
}

// Whatever index and files are joined, each pointer has its counterpart, and joining the same again gives the same.
func TestPointersOfAnyMemory(t *testing.T) {
	random := rand.New(rand.NewPCG(54, 1))
	for range 500 {
		m, err := memory.Open(randomMemory(random), modelLayout)
		require.NoError(t, err)
		requirePointers(t, m)
		again := m.With(m.Index, slices.Clone(m.Files))
		requirePointers(t, again)
		require.Equal(t, shape(m), shape(again))
		for _, h := range m.Headings {
			require.Same(t, h.Heading, again.Counterpart(h).Heading)
		}
	}
}

func requirePointers(t *testing.T, m *memory.Memory) {
	t.Helper()
	led := 0
	for _, e := range m.Entries {
		require.Contains(t, m.Keyed(e.Key()), e)
		if e.Heading == nil {
			require.Empty(t, m.Find(e.Section, e.Title.Text))
			continue
		}
		led++
		require.True(t, e.Heading.Semantic())
		require.Contains(t, e.Heading.Entries, e)
		require.Same(t, m.Find(e.Section, e.Title.Text)[0], e.Heading)
		require.Contains(t, []string{e.Heading.Key, decision.Key(e.Heading.Alias)}, decision.Key(e.Title.Text))
	}
	for _, h := range m.Headings {
		led -= len(h.Entries)
		require.Same(t, h, m.HeadingsOf(h.File)[h.Number])
		if h.Parent != nil {
			require.Less(t, h.Parent.Level, h.Level)
			require.True(t, h.Parent.Start < h.Start && h.End <= h.Parent.End)
		}
		if h.Successor != nil {
			require.True(t, h.Gone && !h.Successor.Gone)
		}
	}
	require.Zero(t, led, "an entry is where its heading says")
}

// shape is a memory without its pointers.
func shape(m *memory.Memory) (lines []string) {
	for _, e := range m.Entries {
		line := fmt.Sprintf("%d %t", e.Line, e.Ambiguous)
		if e.Heading != nil {
			line += fmt.Sprintf(" %s:%d", e.Heading.File.Path, e.Heading.Line)
		}
		lines = append(lines, line)
	}
	return lines
}

func randomMemory(random *rand.Rand) fstest.MapFS {
	title := func() string { return string(rune('A' + random.IntN(6))) }
	files := fstest.MapFS{}
	var ix strings.Builder
	for n := range 3 {
		name := fmt.Sprintf("agents/decisions/%d.md", n)
		var src strings.Builder
		for range random.IntN(5) {
			dot := ""
			if random.IntN(5) == 0 {
				dot = "."
			}
			fmt.Fprintf(&src, "%s %s%s\n\ntext\n\n", strings.Repeat("#", 1+random.IntN(4)), dot, title())
		}
		files[name] = &fstest.MapFile{Data: []byte(src.String())}
		fmt.Fprintf(&ix, "\n## %s\n\n", name)
		for range random.IntN(4) {
			fmt.Fprintf(&ix, "/when %s %s | %s | some words\n", title(), title(), title())
		}
	}
	for n := range random.IntN(5) {
		status := "Accepted"
		if random.IntN(2) == 0 {
			status = fmt.Sprintf("Superseded by ADR-%04d", 1+random.IntN(5))
		}
		files[fmt.Sprintf("docs/adr/%04d-x.md", n+1)] = &fstest.MapFile{Data: []byte("# " + title() + "\n\n## Status\n\n" + status + "\n")}
	}
	fmt.Fprintf(&ix, "\n## docs/adr/\n\n/when a document | %s | words\n", title())
	files["agents/index.md"] = &fstest.MapFile{Data: []byte(ix.String())}
	return files
}
