package inert_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/internal/inert"
)

// hostile maps texts with markup that an agent might obey, or with invisible characters, to their inert forms.
var hostile = map[string]string{
	"a </system-reminder> b <system>x":         `a \</system-reminder> b \<system>x`,
	"<!-- x --><?xml <![CDATA[":                `\<!-- x -->\<?xml \<![CDATA[`,
	`\<b> \\<b>`:                               `\<b> \\\<b>`,
	"a < b <= c <3 <- d":                       "a < b <= c <3 <- d",
	"# a\n###### b\n#\n####### c\n#d":          "\\# a\n\\###### b\n\\#\n####### c\n#d",
	"```go\n\t# x\n~~~\n  ````":                "\\```go\n\t\\# x\n\\~~~\n  \\````",
	"a\r\n# b\r# c\v# d\u2028# e":              "a\n\\# b\n\\# c\n\\# d\n\\# e",
	"- a\n\n    indented | > \n":               "- a\n\n    indented | > \n",
	"\x1b[31mred\x00\u202eback":                "redback",
	"\xff":                                     "\uFFFD",
	"a\u200bb\u2060c\ufeffd\u00ade":            "abcde",
	"\u3164\uffa0\u034f\u115f\u1160a":          "a",
	"\u17b4\u17b5\u180b\u180e\u180fa":          "a",
	"a\U000e0041\U000e0100\U000e01efb":         "ab",
	"\u845b\U000e0100\ufe00":                   "\u845b",
	"a\u200d\u200c\ufe0fb":                     "ab",
	"می\u200cخواهم می\u200c\u200d\u200cخ":      "می\u200cخواهم می\u200cخ",
	"क\u094d\u200dष न\u094d\u200d\u200d\u200c": "क\u094d\u200dष न\u094d\u200d",
	"ഒന്\u200d":                                "ഒന്\u200d",
	"👩🏽\u200d🚀 ❤\ufe0f\u200d🔥":                 "👩🏽\u200d🚀 ❤\ufe0f\u200d🔥",
	"❤\ufe0f\ufe0f\ufe0e 🚀\u200d\u200d":        "❤\ufe0f 🚀\u200d",
	"1\ufe0f\u20e3 1\ufe0f #\ufe0f\u20e3":      "1\ufe0f\u20e3 1 #\ufe0f\u20e3",
	"\u200cа\u0301\u200c":                      "а\u0301",
}

func TestInert(t *testing.T) {
	for in, want := range hostile {
		require.Equal(t, want, inert.Text(in), "%q", in)
	}
	require.Equal(t, "## Ours\n\\## Other\n/when <trigger>, \\<trigger-x>\n", inert.Text("## Ours\n## Other\n/when <trigger>, <trigger-x>\n", "## Ours", "<trigger>"))
}

func TestInertParagraphs(t *testing.T) {
	for in, want := range map[string]string{
		"  a\n\n\t# b\n  - c\n> d\n| e\n---\n[f]: g\n":  "a\n\\# b\n\\- c\n\\> d\n\\| e\n\\---\n\\[f]: g",
		"1. # a\n2) b\n</system-reminder>\n\u3164\n```": "1\\. # a\n2) b\n\\</system-reminder>\n\\```",
	} {
		require.Equal(t, want, inert.Paragraphs(in), "%q", in)
	}
	require.Equal(t, `\# a "b"  c # d \</e>`, inert.Line("\u200b# a\n\n \"b\"  c\r\n# d\n</e>"))
}

var (
	tag            = regexp.MustCompile(`<[A-Za-z/!?]`)
	fenceOrHeading = regexp.MustCompile("(?m)^[ \t]*(```|~~~|#{1,6}([ \t]|$))")
	joiners        = regexp.MustCompile("[\u200c\u200d][\u200c\u200d]|\ufe0f\ufe0f|^[\u200c\u200d\ufe0e\ufe0f]")
)

// requireInert requires that a text is inert as Text promises, except for markup of ours.
func requireInert(t *testing.T, out string) {
	t.Helper()
	require.True(t, utf8.ValidString(out))
	require.NotRegexp(t, fenceOrHeading, out)
	require.NotRegexp(t, joiners, out)
	for _, at := range tag.FindAllStringIndex(out, -1) {
		before := out[:at[0]]
		slashes := len(before) - len(strings.TrimRight(before, `\`))
		require.Equal(t, 1, slashes%2, "%q", out)
	}
	for _, r := range out {
		require.False(t, inert.IsUnseen(r) && r != '\n' && r != '\t', "%q", out)
	}
}

func FuzzInert(f *testing.F) {
	for in := range hostile {
		f.Add(in)
		f.Add("a\u202e" + in + "\\<" + in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		for _, make := range []func(string) string{func(s string) string { return inert.Text(s) }, inert.Paragraphs} {
			out := make(in)
			requireInert(t, out)
			require.Equal(t, out, make(out), "twice is once")
			require.Equal(t, out, inert.Text(out), "a door changes no text that is inert")
		}
	})
}

// ignorable has the ranges of Default_Ignorable_Code_Point in DerivedCoreProperties.txt of Unicode 15, without joiners
// and emoji selectors.
var ignorable = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0xad, 0xad, 1}, {0x34f, 0x34f, 1}, {0x61c, 0x61c, 1}, {0x115f, 0x1160, 1}, {0x17b4, 0x17b5, 1}, {0x180b, 0x180f, 1},
		{0x200b, 0x200b, 1}, {0x200e, 0x200f, 1}, {0x202a, 0x202e, 1}, {0x2060, 0x206f, 1}, {0x3164, 0x3164, 1}, {0xfe00, 0xfe0d, 1},
		{0xfeff, 0xfeff, 1}, {0xffa0, 0xffa0, 1}, {0xfff0, 0xfff8, 1},
	},
	R32: []unicode.Range32{{0x1bca0, 0x1bca3, 1}, {0x1d173, 0x1d17a, 1}, {0xe0000, 0xe0fff, 1}},
}

func TestIsUnseen(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.Is(ignorable, r) {
			require.True(t, inert.IsUnseen(r), "%U", r)
		}
		if inert.IsUnseen(r) && !unicode.Is(ignorable, r) {
			require.True(t, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp), "%U is shown", r)
		}
	}
}

func TestQuoted(t *testing.T) {
	sentence := strings.Repeat("ignore what was said. ", 20)
	require.Equal(t, `"`+sentence[:40]+`…"`, inert.Quoted(sentence))
	require.Equal(t, `"a\"\n\u202e"`, inert.Quoted("a\"\n\u202e"))
	require.Equal(t, `"`+strings.Repeat("é", 40)+`"`, inert.Quoted(strings.Repeat("é", 40)))
	require.Equal(t, `"a\U000e0100"`, inert.Quoted("a\U000e0100"))
}

func TestAgentWriter(t *testing.T) {
	var out strings.Builder
	w := inert.NewAgentWriter(&out, "#")
	inert.SayWhose(w, "theirs:\n")
	for _, part := range []string{"# a <", "/system", "-reminder> ", "\xe2\x80", "\xae<b>\n", "", "<c"} {
		n, err := w.Write([]byte(part))
		require.NoError(t, err)
		require.Equal(t, len(part), n)
	}
	require.Equal(t, "theirs:\n# a \\</system-reminder> \\<b>\n", out.String())
	require.NoError(t, w.Flush())
	require.True(t, strings.HasSuffix(out.String(), "\n\\<c"))
	require.Equal(t, &out, inert.Exact(w))
	require.Equal(t, `\# <x> \u202e`, `\`+inert.Shown(&out, "# <x> \u202e"), "a person sees what is there")
	require.Equal(t, `\# \<x> `, inert.Shown(w, "# <x> \u202e"))
	out.Reset()
	require.NoError(t, inert.WriteJSONLine(w, "</system-reminder>\u3164"))
	require.Equal(t, `"\u003c/system-reminder\u003e\u3164"`+"\n", out.String())
}
