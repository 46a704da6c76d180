package decision

import (
	"bytes"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// CodeSpan is back-quoted text outside of code blocks.
type CodeSpan struct {
	Text  string
	Start int // offset of Text in the source
	Line  int // 1-based
}

var codeSpanParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(util.Prioritized(parser.NewCodeSpanParser(), 100)),
	)
})

// CodeSpans returns the code spans in order. It leaves out those that cross a line end, which cannot be names, and
// those in comments on lines of their own.
func (m *Markdown) CodeSpans() (spans []CodeSpan) {
	if m.TooDeep > 0 {
		return nil
	}
	markdown, base := content(m.Source)
	_ = ast.Walk(codeSpanParser().Parse(text.NewReader(markdown)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if span, is := n.(*ast.CodeSpan); is && entering && span.ChildCount() == 1 {
			at := span.FirstChild().(*ast.Text).Segment
			start, quoted := base+at.Start, at.Value(markdown)
			if !bytes.HasSuffix(quoted, []byte("\n")) && markdown[at.Stop] != '\n' {
				spans = append(spans, CodeSpan{string(quoted), start, m.LineAt(start)})
			}
		}
		return ast.WalkContinue, nil
	})
	return spans
}
