package words_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/internal/words"
)

// A cut text is within the bound and has whole characters. A text within the bound is not changed.
func TestTextsAreCutBetweenCharacters(t *testing.T) {
	for _, s := range []string{"", "a", "two words, and more", "größer als 7 Wörter", "修改数据库的锁", "a修b改c", "🦫🦫🦫"} {
		chars := []rune(s)
		for n := 3; n < 30; n++ {
			first := words.FirstChars(s, n)
			require.Equal(t, string(chars[:min(n, len(chars))]), first)
			beginning := words.Beginning(s, n)
			require.True(t, utf8.ValidString(beginning) && len(beginning) <= n && s[:len(beginning)] == beginning)
			require.Greater(t, len(beginning)+utf8.UTFMax, min(n, len(s)))
			short := words.Shorten(s, n)
			require.True(t, utf8.ValidString(short) && len(short) <= n)
			require.Equal(t, len(s) <= n, short == s)
			ends := words.Ends(s, n, 2)
			if len(chars) <= n+2 {
				require.Equal(t, s, ends)
			} else {
				require.Equal(t, string(chars[:n])+"\n…\n"+string(chars[len(chars)-2:]), ends)
			}
		}
	}
}

func TestWrap(t *testing.T) {
	for prose, want := range map[string]string{
		"":                     "",
		"one":                  "one",
		" one  two\tthree ":    "one two|three",
		"a überlanges b":       "a|überlanges|b",
		"éé éé éé":             "éé éé éé",
		"exactly1 eight ch 12": "exactly1|eight ch|12",
	} {
		require.Equal(t, want, strings.Join(words.Wrap(prose, 8), "|"), prose)
	}
}
