package index_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/index"
)

// Two sides that have nothing in common, or every entry in another place.
func BenchmarkMergeOfManyChanges(b *testing.B) {
	const entries = 9000
	text := func(order []int, word string) []byte {
		var index strings.Builder
		index.WriteString("## agents/decisions/a.md\n\n")
		for _, i := range order {
			fmt.Fprintf(&index, "/when %s %d | Title %s %d | some words\n", word, i, word, i)
		}
		return []byte(index.String())
	}
	random := rand.New(rand.NewPCG(1, 2))
	base := text(random.Perm(entries), "a")
	for name, sides := range map[string][2][]byte{
		"all moved":   {text(random.Perm(entries), "a"), text(random.Perm(entries), "a")},
		"all new":     {text(random.Perm(entries), "b"), text(random.Perm(entries), "c")},
		"one of each": {text(random.Perm(entries), "a"), text(random.Perm(entries), "c")},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				merged, _ := index.Merge(base, sides[0], sides[1], 7)
				require.Greater(b, strings.Count(string(merged), "\n"), entries)
			}
		})
	}
}
