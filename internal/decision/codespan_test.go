package decision

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

func TestCodeSpans(t *testing.T) {
	for src, want := range map[string][]string{
		"`a` ``b`c`` ` d ` `e":    {"a", "b`c", "d"},
		"\\`a` b` `c`":            {" b", "c"},
		"\\``a` `b`":              {"a", "b"},
		"`a\\` `b`":               {"a\\", "b"},
		"x <!-- `a` --> `b`":      {"b"},
		"x <!-- `a`\n`b` --> `c`": {"c"},
		"x <!-- `a` `b`":          {"a", "b"},
		"x `<!--` `a` `-->`":      {"<!--", "a", "-->"},
		"`a\nb` `c`":              {"c"},
		"> - `a`\n>   `b`\n":      {"a", "b"},
		"\uFEFF`a`\r\n`b`\r\n":    {"a", "b"},
		"```\n`a`\n```\n":         nil,
		"`` ` ``` ` ` ``` ``":     {"` ``` ` ` ```"},
	} {
		var got []string
		for _, s := range Parse("a.md", []byte(src)).CodeSpans() {
			got = append(got, s.Text)
		}
		require.Equal(t, want, got, src)
	}
}

var goldmarkCodeSpans = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithInlineParsers(util.Prioritized(parser.NewCodeSpanParser(), 100)),
)

// parsedCodeSpans are the code spans that goldmark finds, without those that cross the
// end of a line and close at the start of the next.
func parsedCodeSpans(src []byte) []CodeSpan {
	f := Parse("", src)
	base := contentStart(src)
	var spans []CodeSpan
	_ = ast.Walk(goldmarkCodeSpans.Parse(text.NewReader(src[base:])), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if span, ok := n.(*ast.CodeSpan); ok && entering && span.ChildCount() == 1 {
			seg := span.FirstChild().(*ast.Text).Segment
			crosses := seg.Len() > 0 && src[base+seg.Stop-1] == '\n' || src[base+seg.Stop] == '\n'
			if start := base + seg.Start; !crosses {
				spans = append(spans, CodeSpan{string(seg.Value(src[base:])), start, f.LineAt(start)})
			}
		}
		return ast.WalkContinue, nil
	})
	return spans
}

// FuzzCodeSpans holds the code spans against those of goldmark, which knows no comments
// here.
func FuzzCodeSpans(f *testing.F) {
	for _, src := range []string{"`a` ``b`c`` ` d `", "\\`a` \\\\`b`", "- `a\n> b` ` ` `c", "# `a` #\n\n| `b` | c |\n", "`a`\\\n`b`  \n`` c", "a\n  `b`\n===\n"} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 5000 || TooDeep(src) > 0 || bytes.Contains(src, []byte("<!--")) || bytes.ContainsAny(src, "\r\t\x00\v\f") {
			return
		}
		require.Equal(t, parsedCodeSpans(src), Parse("", src).CodeSpans(), strings.ToValidUTF8(string(src), "?"))
	})
}
