package remember

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/memory"
)

func TestNewEntry(t *testing.T) {
	long := strings.Repeat("Wörter ", 600)
	f := decision.Parse("a.md", []byte("# A\n\n## Short\n<!-- situations:\none phrase\n-->\n\nText.\n\n### Below\n<!-- situations:\nof below\n-->\nMore.\n\n## Long\n"+long+"\n"))
	headings := (&memory.Memory{}).With(index.Parse(nil), []*decision.File{f}).Headings
	p := proposal{Lead: lead("keeping it short", "Short"), Header: "Short alias", Description: "few words"}
	require.Equal(t, unworded{
		Entry: "/when keeping it short", Title: "Short alias", Description: "few words", MaxWords: 18,
		File: "a.md:3", Text: "Text.\n\n### Below\nMore.",
	}, newUnworded(p, headings[1], config.Default()))
	text := newUnworded(p, headings[3], config.Default()).Text
	require.True(t, strings.HasPrefix(long, text[:2000]))
	require.Regexp(t, ` … \(2199 more characters\)$`, text)
}

func TestReadAnswers(t *testing.T) {
	lines := jsonLines([]byte("\uFEFF{\"entry\": \"/when x\", \"situations\": []}\r\n\n {\"entry\":\"A\",\"x\":1}\nno\n{\"entry\": \"\xff\"}\n{\"trigger\": \"a b\"}\n{\"entry\": \"a\x00\"}\n"))
	require.Len(t, lines, 6)
	a, err := parseAnswer(lines[0].src)
	require.NoError(t, err)
	require.Equal(t, "/when x", a.Entry)
	require.Equal(t, 4, lines[2].number)
	for i, want := range []string{`unknown field "x", and nothing to set: write {"entry": `, "invalid character", "not UTF-8 text", "it names no entry", "not UTF-8 text, or has a NUL"} {
		_, err = parseAnswer(lines[i+1].src)
		require.ErrorContains(t, err, want)
	}
	require.Empty(t, jsonLines([]byte("\n \n")))
}
