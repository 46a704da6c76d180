package validate_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/test/repotest"
	"whence/validate"
)

// Conflicts of all kinds in the index and the decision files of the example: a fix changes no
// such file, and --merged resolves a conflict without losing a line of either side, or leaves it.
func TestConflictVariants(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side that other variants do not")
	}
	ferry := repotest.MarkdownTree(t, "../examples/ferry")
	names := slices.Sorted(maps.Keys(ferry))[:2] // decision files
	names = append(names, config.DefaultIndex)
	random := rand.New(rand.NewPCG(1, 2))
	resolved := 0
	for range 200 {
		variant := fstest.MapFS{}
		for _, name := range names {
			variant[name] = ferry[name]
		}
		name := names[random.IntN(len(names))]
		src := conflicted(string(ferry[name].Data), random)
		variant[name] = &fstest.MapFile{Data: []byte(src)}

		require.Nil(t, changeOf(requireFix(t, variant, config.Default(), validate.Allow{Unsafe: true}), name), src)
		merged := requireFix(t, variant, config.Default(), validate.Allow{Merged: true})
		if change := changeOf(merged, name); change != nil {
			resolved++
			require.NotContains(t, string(change.After), "<<<<<<<")
		}
	}
	require.Greater(t, resolved, 5, "some conflicts are resolved")
}

// conflicted makes a conflict of some lines of a text: what follows them goes to the sides, whole
// or in pieces.
func conflicted(src string, random *rand.Rand) string {
	lines := strings.SplitAfter(src, "\n")
	cuts := make([]int, 4)
	cuts[0] = random.IntN(len(lines))
	for i := range cuts[1:] {
		cuts[i+1] = min(len(lines), cuts[i]+random.IntN(7))
	}
	if strings.HasPrefix(lines[0], "# ") && random.IntN(2) == 0 { // sides that begin with a heading
		for i := range cuts {
			for cuts[i] < len(lines) && !strings.HasPrefix(lines[cuts[i]], "## ") {
				cuts[i]++
			}
		}
	}
	join := func(from, to int) string {
		text := strings.Join(lines[cuts[from]:cuts[to]], "")
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		return text
	}
	base := ""
	switch random.IntN(3) {
	case 0:
		base = "||||||| base\n"
	case 1:
		base = "||||||| base\n" + join(2, 3)
	}
	return strings.Join(lines[:cuts[0]], "") + "<<<<<<< HEAD\n" + join(0, 1) + base + "=======\n" + join(1, 2) + ">>>>>>> side\n" + strings.Join(lines[cuts[2]:], "")
}

// mergeTree counts how often it is asked what a file was before the merge.
type mergeTree struct {
	fstest.MapFS
	asked map[string]int
}

func (t mergeTree) MergeBase(path string) ([]byte, bool) {
	t.asked[path]++
	return []byte("# A\n"), true
}

// Git is asked once for each file, however many conflicts it has.
func TestMergeBaseIsReadOnce(t *testing.T) {
	const (
		decisions = "# A\n\n## B\n\nText.\n\n"
		conflict  = "## X%[1]d\n\nText.\n\n<<<<<<< HEAD\n## P%[1]d\n\nText.\n\n=======\n## Q%[1]d\n\nText.\n\n>>>>>>> side\n"
		entries   = "<<<<<<< HEAD\n/when p %[1]d | B | y\n=======\n/when q %[1]d | C | y\n>>>>>>> side\n"
	)
	file, lines := decisions+"## C\n\nText.\n\n", "# M\n\n## agents/decisions/a.md\n\n"
	for i := range 5 {
		file += fmt.Sprintf(conflict, i)
		lines += fmt.Sprintf(entries, i)
	}
	tree := mergeTree{fstest.MapFS{
		"agents/decisions/a.md": {Data: []byte(file)},
		config.DefaultIndex:     {Data: []byte(lines)},
	}, map[string]int{}}
	found, err := validate.Run(tree, config.Default())
	require.NoError(t, err)
	require.Len(t, slices.DeleteFunc(found, func(f finding.Finding) bool { return f.Fix == nil || !f.Fix.Merged }), 10)
	require.Equal(t, map[string]int{"agents/decisions/a.md": 1, config.DefaultIndex: 1}, tree.asked)
}
