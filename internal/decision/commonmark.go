package decision

import (
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// blockParser parses blocks only: headings need no inline markup, and parsing without it takes a
// third of the time.
var blockParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
})

// parse finds the headings and situations of any CommonMark after an offset.
func (f *File) parse(base int) {
	doc := blockParser().Parse(text.NewReader(f.Source[base:]))
	after := -1 // the heading directly above
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			after = f.addHeadingNode(n, base)
		case *ast.HTMLBlock:
			f.addHTMLBlock(n, base, after)
			after = -1
		default:
			f.addNestedSituations(n, base)
			after = -1
		}
	}
}

// addHeadingNode appends a heading and returns its index, or -1 if it has no text.
func (f *File) addHeadingNode(n *ast.Heading, base int) int {
	lines := n.Lines()
	parts := make([]string, 0, 1)
	for i := range lines.Len() {
		seg := lines.At(i)
		parts = append(parts, strings.TrimSpace(string(f.Source[base+seg.Start:base+seg.Stop])))
	}
	title := strings.TrimSpace(strings.Join(parts, " "))
	if title == "" {
		return -1
	}
	last := base + lines.At(lines.Len()-1).Start
	body := f.nextLine(last)
	if f.Source[base+n.Pos()] != '#' {
		body = f.nextLine(body) // the underline of a setext heading
	}
	return f.addHeading(n.Level, title, f.lineStart(base+n.Pos()), body)
}

// addHTMLBlock appends the comment of an HTML block, if it lists situations.
func (f *File) addHTMLBlock(n *ast.HTMLBlock, base, heading int) {
	if n.Lines().Len() == 0 {
		return
	}
	end := base + n.Lines().At(n.Lines().Len()-1).Stop
	if n.HasClosure() {
		end = base + n.ClosureLine.Stop
	}
	f.addSituations(base+n.Lines().At(0).Start, end, heading)
}

// addNestedSituations looks for comments in lists and block quotes, where they belong to no heading.
func (f *File) addNestedSituations(n ast.Node, base int) {
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if block, ok := child.(*ast.HTMLBlock); ok {
			f.addHTMLBlock(block, base, -1)
		} else if child.Type() == ast.TypeBlock {
			f.addNestedSituations(child, base)
		}
	}
}
