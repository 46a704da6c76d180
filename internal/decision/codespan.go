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
		parser.WithInlineParsers(util.Prioritized(parser.NewCodeSpanParser(), 100), util.Prioritized(commentParser{}, 200)),
	)
})

// CodeSpans returns what is back-quoted, in order. It leaves out spans that cross a line end,
// which cannot be a name, and those in comments.
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

// commentParser skips the comments within a text, which goldmark's parser of HTML does only in
// superlinear time.
type commentParser struct{}

var noComment = parser.NewContextKey()

// Trigger returns how a comment begins.
func (commentParser) Trigger() []byte { return []byte{'<'} }

// Parse returns a comment, or nil if there is none here.
func (commentParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	if !bytes.HasPrefix(line, []byte("<!--")) || pc.Get(noComment) != nil {
		return nil
	}
	startLine, start := block.Position()
	for from := len("<!--"); line != nil; from = 0 {
		if end := bytes.Index(line[from:], []byte("-->")); end >= 0 {
			block.Advance(from + end + len("-->"))
			return ast.NewRawHTML()
		}
		block.AdvanceLine()
		line, _ = block.PeekLine()
	}
	block.SetPosition(startLine, start)
	pc.Set(noComment, true) // none ends below
	return nil
}

// CloseBlock forgets that no comment ends in a block.
func (commentParser) CloseBlock(_ ast.Node, _ text.Reader, pc parser.Context) { pc.Set(noComment, nil) }
