package decision

import (
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// CodeSpan is a piece of back-quoted text outside of code blocks.
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

// CodeSpans lists the back-quoted text of the file in order. Spans that cross a
// line end are left out: they cannot be a name.
func (f *File) CodeSpans() []CodeSpan {
	base := contentStart(f.Source)
	doc := codeSpanParser().Parse(text.NewReader(f.Source[base:]))
	var spans []CodeSpan
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		span, ok := n.(*ast.CodeSpan)
		if !ok || !entering || span.ChildCount() != 1 {
			return ast.WalkContinue, nil
		}
		if t, ok := span.FirstChild().(*ast.Text); ok {
			start := base + t.Segment.Start
			spans = append(spans, CodeSpan{string(f.Source[start : base+t.Segment.Stop]), start, f.LineAt(start)})
		}
		return ast.WalkContinue, nil
	})
	return spans
}
