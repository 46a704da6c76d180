package when_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/when"
)

// Of many related entries, the nearest twelve are named, never the answer itself, and none of another section.
func TestNearestSiblings(t *testing.T) {
	for _, c := range []struct{ entries, asked, first int }{
		{1, 0, 0}, {2, 0, 1}, {13, 0, 1}, {13, 6, 0}, {13, 12, 0},
		{14, 0, 1}, {14, 6, 0}, {14, 13, 1},
		{40, 0, 1}, {40, 5, 0}, {40, 7, 1}, {40, 20, 14}, {40, 39, 27},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			var index, file strings.Builder
			index.WriteString("## agents/decisions/a.md\n/when doing else | Else | x\n")
			file.WriteString("# A\n## .Others\n### Else\n## .Group\n")
			for n := range c.entries {
				fmt.Fprintf(&index, "/when doing n%d | Number %d | x\n", n, n)
				fmt.Fprintf(&file, "### Number %d\n### Without entry %d\n", n, n)
			}
			l, err := when.Open(fstest.MapFS{
				config.DefaultIndex: {Data: []byte(index.String())}, "agents/decisions/a.md": {Data: []byte(file.String())},
			}, config.Default())
			require.NoError(t, err)
			q, err := when.ParseQuery(fmt.Sprintf("/when doing n%d", c.asked))
			require.NoError(t, err)
			a, err := l.Resolve(q)
			require.NoError(t, err)
			var want, got []string
			for n := c.first; len(want) < min(12, c.entries-1); n++ {
				if n != c.asked {
					want = append(want, fmt.Sprintf("/when doing n%d", n))
				}
			}
			for _, r := range a.Related {
				if r.Relation == "sibling" {
					got = append(got, r.Command)
				}
			}
			if c.entries == 1 { // none in its section
				want = []string{"/when doing else"}
			}
			require.Equal(t, want, got)
		})
	}
}
