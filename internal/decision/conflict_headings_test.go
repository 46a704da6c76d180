package decision_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
	"whence/internal/test/repotest"
)

// Each file, with the sections of both sides: those that a conflict decides are marked, of the
// others the text is given.
func TestConflictedSections(t *testing.T) {
	const (
		begin = "<<<<<<< HEAD\n"
		half  = "=======\n"
		end   = ">>>>>>> side\n"
	)
	for name, c := range map[string]struct {
		text string
		want map[string]string
	}{
		"in the text":       {"## A\nText.\n" + begin + "ours\n" + half + "theirs\n" + end + "## B\nText.\n", map[string]string{"A": "?", "B": "Text.\n"}},
		"sections behind":   {"## A\nText.\n\n" + begin + "## B\nours\n" + half + "## C\ntheirs\n" + end, map[string]string{"A": "Text.", "B": "?", "C": "?"}},
		"one side empty":    {"## A\nText.\n" + begin + half + "theirs\n" + end, map[string]string{"A": "?"}},
		"the heading":       {begin + "## A\n" + half + "## B\n" + end + "Text.\n## C\nText.\n", map[string]string{"A": "?", "B": "?", "C": "Text.\n"}},
		"around":            {"## A\n### B\nText.\n### C\n" + begin + "ours\n" + half + "theirs\n" + end, map[string]string{"A": "?", "B": "Text.\n", "C": "?"}},
		"a fence of ours":   {"## A\n" + begin + "```\n" + half + "theirs\n" + end + "## B\nText.\n```\n## C\nText.\n", map[string]string{"A": "?", "C": "?"}},
		"a marker left":     {"## A\nText.\n" + end + "## B\nText.\n", map[string]string{"A": "?", "B": "Text.\n"}},
		"second half left":  {"## A\nText.\n" + half + "theirs\n" + end + "## B\nText.\n", map[string]string{"A": "?", "B": "Text.\n"}},
		"an empty decision": {"## A\nText.\n" + half + "\n## B\nText.\n", map[string]string{"A": "", "B": "Text.\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := decision.Parse("a.md", []byte(c.text))
			require.Equal(t, c.text, string(f.Source))
			got := map[string]string{}
			for i, h := range f.Headings {
				if h.Level < 2 {
					continue
				}
				got[h.Title] = string(f.Body(i))
				if h.Disputed {
					got[h.Title] = "?"
				}
			}
			require.Equal(t, c.want, got)
		})
	}
}

// Many headings beside many conflicts are read in a time that grows with their number.
func TestManyConflicts(t *testing.T) {
	many := func(n int) []byte {
		return []byte(strings.Repeat("## A\n\n", 3*n) + strings.Repeat("<<<<<<<\n=======\n>>>>>>>\n", n))
	}
	repotest.RequireLinear(t, 16_000, func(n int) func() {
		src := many(n)
		return func() { decision.Parse("a.md", src) }
	})
	f := decision.Parse("a.md", many(1000))
	require.Len(t, f.Conflicts, 1000)
	require.False(t, f.Headings[0].Disputed)
}
