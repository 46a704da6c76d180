package validate_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/validate"
)

// TestEditorOnVariants edits broken memories. Whatever is wrong with one, inserting an entry costs no other line and
// puts it in its place, removing it restores the text if that was the only change, and situations are read where they
// were added.
func TestEditorOnVariants(t *testing.T) {
	variants := 2_000
	if testing.Short() {
		variants = 60
	}
	all := trees(t)
	for name, tree := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(11, uint64(len(name))))
			inserted, situated := 0, 0
			for i := range variants / len(all) {
				if i%20 == 0 {
					tree = shrink(all[name], random)
				}
				variant := mutate(tree, random)
				m, err := validate.Load(variant, config.Default())
				if err != nil {
					continue
				}
				e := validate.NewEditor(m, config.Default())
				inserted += insertOne(t, e, variant, m, random)
				situated += situateOne(t, e, random)
			}
			if !testing.Short() { // which tries few
				require.NotZero(t, inserted)
				require.NotZero(t, situated)
			}
		})
	}
}

// insertOne inserts one of the drafts that a memory lacks.
func insertOne(t *testing.T, e *validate.Editor, tree fstest.MapFS, m *memory.Memory, random *rand.Rand) int {
	t.Helper()
	missing := e.Missing()
	if len(missing) == 0 {
		return 0
	}
	draft := missing[random.IntN(len(missing))]
	if draft.Text == "" {
		return 0
	}
	after, err := e.Insert(draft.Insertion)
	if err != nil {
		require.ErrorContains(t, err, "would end a comment")
		return 0
	}
	left := string(after.Index.Source)
	for line := range strings.Lines(string(m.Index.Source)) {
		_, behind, found := strings.Cut(left, strings.Trim(line, "\uFEFF\r\n"))
		require.True(t, found, "lost or moved: %q\n%s", line, after.Index.Source)
		left = behind
	}
	for _, f := range e.Worse(after) {
		require.Contains(t, []string{"word-count", "consumption-header"}, f.Rule, "%s:%d %s\n%s", f.Path, f.Line, f.Message, after.Index.Source)
	}
	next := validate.NewEditor(after, config.Default())
	lines := next.Leading(next.Counterpart(draft.Heading))
	require.Len(t, lines, 1, "%s\n%s", draft.Text, after.Index.Source)
	if len(after.Index.Sections) == len(m.Index.Sections) && len(index.Parse(m.Index.Source).Lines)+1 == len(after.Index.Lines) {
		back, err := next.Remove(lines...)
		require.NoError(t, err)
		require.Equal(t, string(m.Index.Source), string(back.Index.Source))
	}
	require.Equal(t, string(tree[config.DefaultIndex].Data), string(m.Index.Source), "the memory is not changed")
	return 1
}

// situateOne adds situations to a heading.
func situateOne(t *testing.T, e *validate.Editor, random *rand.Rand) int {
	t.Helper()
	h := e.Headings[random.IntN(len(e.Headings))]
	if !h.Semantic() {
		return 0
	}
	edits, _, err := e.AddSituations(h, []string{"one of mine", "# another", "One of mine"})
	if err != nil {
		require.ErrorContains(t, err, "has no end")
		return 0
	}
	after, err := e.Apply(nil, edits...)
	if err != nil {
		require.ErrorContains(t, err, "other headings afterwards")
		return 0
	}
	next := validate.NewEditor(after, config.Default())
	require.Subset(t, next.Counterpart(h).Phrases(), []string{"one of mine", "# another"}, "%s", next.Counterpart(h).File.Source)
	again, _, err := next.AddSituations(h, []string{"one of mine", "# another"})
	require.NoError(t, err)
	require.Empty(t, again)
	return 1
}
