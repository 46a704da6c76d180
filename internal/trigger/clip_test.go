package trigger

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClip(t *testing.T) {
	for text, want := range map[string]string{
		"one two three": "one two three",
		"by cursor as offsets skip rows while the client pages":   "by cursor as offsets skip rows",
		"three attempts with a little jitter, and only then":      "three attempts with a little jitter",
		"never for payments: each one, with all that it brings":   "never for payments: each one",
		"run the following command `git stash push -m` before":    "run the following command",
		"call it (by cursor only, in this one case) and no more":  "call",
		"the \"lost update\" problem of writers is not of such a": "the \"lost update\" problem of writers",
		"a `x (y` b of the two that we have":                      "a `x (y` b of the two",
		"`select all of the rows of the table` is slow":           "select all of the rows",
		"is it to be or not to be then":                           "is it to be or not to",
		"clients match the code. The text may change":             "clients match the code.",
	} {
		got := Clip(strings.Fields(text), 7, 1)
		require.Equal(t, want, strings.Join(got, " "))
		require.LessOrEqual(t, len(got), 7)
	}
	require.Equal(t, []string{"call", "it", "by", "cursor", "only"}, Clip(strings.Fields("call it (by cursor only, in this case)"), 5, 5), "the least comes first")
}

func FuzzClip(f *testing.F) {
	f.Add("by `a b` (c, d) \"e f\", g", 3, 1)
	f.Fuzz(func(t *testing.T, text string, most, least int) {
		words := strings.Fields(text)
		if most < 1 || most > 40 || least > most {
			return
		}
		before := strings.Join(words, " ")
		got := Clip(words, most, least)
		require.Equal(t, before, strings.Join(words, " "), "the words that are passed stay")
		require.LessOrEqual(t, len(got), max(most, 0))
		if len(words) > most {
			require.Negative(t, openMark(got))
			require.GreaterOrEqual(t, len(got), min(max(least, 1), most))
		}
	})
}
