package eval_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/eval"
)

// The fixed points of the predecessor's own tests.
func TestLettersScoresAsThePredecessor(t *testing.T) {
	for _, test := range []struct {
		query, candidate string
		want             float64
	}{
		{"ab", "ab", 52.5},
		{"fix bug", "fix this bug", 151},
		{"fix bug", "fix your bugfix", 150.5},
		{"FIX BUG", "Fix this bug", 151},
		{"abc", "xyz", 0},
		{"", "abc", 0},
		{"abcd", "abc", 0},
		{"x", "extremely long candidate string with many words", 0},
		{"zq", "writing mock tests", 0},
		{"the right way for writing mock tests", "writing mock tests", 0}, // words in front
		{"mock tests writing", "writing mock tests", 0},                   // another order
		{"write mock test", "writing mock tests", 0},                      // another form
	} {
		require.Equal(t, test.want, eval.Letters(test.query, test.candidate), "%q in %q", test.query, test.candidate)
	}
}

// Each list goes from the best to the worst; all of them match.
func TestLettersOrder(t *testing.T) {
	for _, test := range []struct {
		query      string
		candidates []string
	}{
		{"abc", []string{"abc", "aXbXc"}},
		{"ab", []string{"a b", "a/b", "axb"}},
		{"ac", []string{"abc", "aXXc", "aXXXXc"}},
		{"a", []string{"b a", "a cat"}},
		{"fix bug", []string{"fix this bug", "fix your bugfix"}},
	} {
		for i, candidate := range test.candidates {
			score := eval.Letters(test.query, candidate)
			require.Positive(t, score, candidate)
			if i > 0 {
				require.Less(t, score, eval.Letters(test.query, test.candidates[i-1]), candidate)
			}
		}
	}
}

func TestRankLetters(t *testing.T) {
	require.Equal(t, []int{0, 1, 3}, eval.RankLetters("mock", []string{"mock patching", "mock test", "unrelated", "mocking framework", "something"}))
	require.Equal(t, []int{0}, eval.RankLetters("proof", []string{"design proposes removing functions", "verifying delivered plan artifacts"}), "letters strewn over a text match")
	require.Empty(t, eval.RankLetters("", []string{"", "a"}))
}
