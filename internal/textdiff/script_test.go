package textdiff

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Searching among shared lines only is one way more to the same texts: what it leaves
// out, and sets between again, is what one text alone has.
func TestSearchShared(t *testing.T) {
	random := rand.New(rand.NewSource(3))
	text := func(own string) string {
		var out strings.Builder
		for range random.Intn(12) {
			out.WriteString([]string{"a\n", "b\n", "c\n", own + "\n", own + own + "\n"}[random.Intn(5)])
		}
		return out.String()
	}
	for range 5000 {
		before, after := text("x"), text("y")
		ops := searchShared(before, after)
		var old, fresh strings.Builder
		for i, o := range ops {
			if o.sign != '+' {
				old.WriteString(o.text)
			}
			if o.sign != '-' {
				fresh.WriteString(o.text)
			}
			require.False(t, o.sign == '-' && i > 0 && ops[i-1].sign == '+', "of each change first what goes")
		}
		require.Equal(t, before, old.String())
		require.Equal(t, after, fresh.String())
	}
}

// Long texts are searched among their shared lines: the whole search of these would
// run into its limit of a second, and give up with another answer.
func TestLongTextsAreSearchedAmongSharedLines(t *testing.T) {
	var before, after strings.Builder
	for range manyLines {
		before.WriteString("x\n")
		after.WriteString("y\n")
	}
	before.WriteString("shared\n")
	after.WriteString("shared\n")
	require.Equal(t, searchShared(before.String(), after.String()), script(before.String(), after.String()))
}
