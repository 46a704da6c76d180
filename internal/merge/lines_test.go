package merge_test

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/merge"
)

func TestCleanLines(t *testing.T) {
	for name, test := range map[string]struct {
		base, ours, theirs, want string
		clean                    bool
	}{
		"nothing of ours":       {"a\nb\n", "a\nb\n", "a\nB\n", "a\nB\n", true},
		"nothing of theirs":     {"a\nb\n", "A\nb\n", "a\nb\n", "A\nb\n", true},
		"far apart":             {"a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n", "A\nb\nc\nD\n", true},
		"a line between":        {"a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n", true},
		"the same line":         {"a\nb\n", "a\nours\n", "a\ntheirs\n", "a\nours\n", false},
		"side by side":          {"a\nb\nc\n", "A\nb\nc\n", "a\nB\nc\n", "A\nb\nc\n", false},
		"both the same":         {"a\nb\nc\n", "a\nB\nc\n", "a\nB\nc\n", "a\nB\nc\n", true},
		"inserted above":        {"a\nb\nc\n", "x\ny\na\nb\nc\n", "a\nb\nC\n", "x\ny\na\nb\nC\n", true},
		"inserted at one place": {"a\nb\n", "a\nx\nb\n", "a\ny\nb\n", "a\nx\nb\n", false},
		"deleted and moved":     {"a\nb\nc\nd\ne\n", "a\nb\nc\nd\ne\nf\n", "b\na\nc\nd\ne\n", "b\na\nc\nd\ne\nf\n", true},
		"a moved line edited":   {"a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n", "b\nc\na\nd\ne\n", "A\nb\nc\nd\ne\n", false},
		"no final line end":     {"a\nb\nc", "a\nb\nC", "A\nb\nc", "A\nb\nC", true},
		"empty base":            {"", "x\n", "", "x\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			merged, clean := merge.CleanLines([]byte(test.base), []byte(test.ours), []byte(test.theirs))
			require.Equal(t, test.want, string(merged))
			require.Equal(t, test.clean, clean)
		})
	}
}

// edited returns a text of few different lines, and one that differs from it in some places.
func edited(random *rand.Rand) (before, after string) {
	line := func() string {
		return []string{"a\n", "b\n", "\n", "x\r\n", "a\rb\n", " a\n", "\xff\n"}[random.Intn(7)]
	}
	for range random.Intn(60) {
		l := line()
		before += l
		switch random.Intn(12) {
		case 0: // deleted
		case 1:
			after += line()
		case 2:
			after += l + line()
		default:
			after += l
		}
	}
	return before, after
}

// Whatever was added on either side is there after a clean merge, and a side that
// changed nothing leaves the other as it is.
func TestCleanLinesLosesNothing(t *testing.T) {
	random := rand.New(rand.NewSource(7))
	clean := 0
	for range 3000 {
		base, ours := edited(random)
		theirs := strings.ReplaceAll(base, "\n", "\n"+strings.Repeat("new\n", random.Intn(2)))
		merged, ok := merge.CleanLines([]byte(base), []byte(ours), []byte(theirs))
		if ok {
			clean++
			require.Equal(t, strings.Count(theirs, "new\n"), strings.Count(string(merged), "new\n"), "%q %q %q", base, ours, theirs)
			require.Equal(t, ours, strings.ReplaceAll(string(merged), "new\n", ""))
		} else {
			require.Equal(t, ours, string(merged))
		}
		for _, side := range [][2]string{{base, theirs}, {ours, base}} {
			merged, ok := merge.CleanLines([]byte(base), []byte(side[0]), []byte(side[1]))
			require.True(t, ok)
			want := side[1]
			if side[1] == base {
				want = side[0]
			}
			require.Equal(t, want, string(merged))
		}
	}
	require.Greater(t, clean, 300)
}
