package inert_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/internal/inert"
)

// odd maps texts that affect a terminal to the form in which they are shown.
var odd = map[string]string{
	"\x1b[31mred":                    `\x1b[31mred`,
	"\x1b]52;c;ZWNobyBwd25lZA==\a":   `\x1b]52;c;ZWNobyBwd25lZA==\a`,
	"\x00\x07\x08\x7f":               `\x00\a\b\x7f`,
	"\u009b31m":                      `\u009b31m`,
	"\x9b31m":                        "\uFFFD31m",
	"\xed\xa0\x80":                   "\uFFFD\uFFFD\uFFFD",
	"a\u202eb\u2066c\u2069\u200f":    `a\u202eb\u2066c\u2069\u200f`,
	"\u061c\u200e\u202a\u2028\u2029": `\u061c\u200e\u202a\u2028\u2029`,
	"\ufeffa\u00adb\U000e0041":       `\ufeffa\u00adb\U000e0041`,
	"a\rb":                           `a\rb`,
}

func TestPrintable(t *testing.T) {
	for in, want := range odd {
		require.Equal(t, want, inert.Printable(in), "%q", in)
		require.Equal(t, want, inert.PrintableLines(in), "%q", in)
	}
	for _, same := range []string{"", "plain", "ü 日 \U0001F468\u200d\U0001F469", "\u0600", `\x1b`, "\uFFFD"} {
		require.Equal(t, same, inert.Printable(same))
		require.Equal(t, same, inert.PrintableLines(same))
	}
	require.Equal(t, `a\tb\r\nc\n`, inert.Printable("a\tb\r\nc\n"))
	require.Equal(t, "a\tb\r\nc\n\\x1b\n", inert.PrintableLines("a\tb\r\nc\n\x1b\n"))
}

func FuzzPrintable(f *testing.F) {
	for in := range odd {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		for _, out := range []string{inert.Printable(in), inert.PrintableLines(in)} {
			require.True(t, utf8.ValidString(out))
			for i, r := range out {
				require.True(t, !inert.IsUnseen(r) || r == '\n' || r == '\t' || r == '\r' && out[i+1] == '\n', "%q", out)
			}
			require.Equal(t, out, inert.PrintableLines(out))
		}
	})
}
