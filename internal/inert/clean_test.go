package inert_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/internal/inert"
)

func TestClean(t *testing.T) {
	for s, want := range map[string]string{
		"  a\r\nb\rc\vd\x1ce  ":                                "a\nb\nc\nd e",
		"\x1b[31;1mred\x1b[0m text\x00":                        "red text",
		"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ \x1b]0;t\a!": "link !",
		"\x1b[31\nx":                 "[31\nx",
		"\ufeffa\xffb\u0085c\u2028d": "a\ufffdb\nc\nd",
		"tab\tkept \u200d":           "tab\tkept \u200d",
		"\x1b":                       "",
	} {
		require.Equal(t, want, inert.Clean(s), "%q", s)
	}
}

func FuzzClean(f *testing.F) {
	f.Add("\x1b\x1b[31m[31m\x9b \x1b]x\x1b\\")
	f.Add("ΑΣ'Σ İ \x1c\u0345Σ")
	f.Fuzz(func(t *testing.T, s string) {
		clean := inert.Clean(s)
		require.Equal(t, clean, inert.Clean(clean), "cleaning twice")
		require.True(t, utf8.ValidString(clean))
		for _, r := range clean {
			require.False(t, unicode.IsControl(r) && r != '\n' && r != '\t', "%U", r)
		}
		if !strings.Contains(s, "\x1b") {
			require.Equal(t, visibleOf(s), visibleOf(clean))
		}
	})
}

// visibleOf returns the visible characters of a text.
func visibleOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || r == '\ufeff' {
			return -1
		}
		return r
	}, string([]rune(text)))
}
