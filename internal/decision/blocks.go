package decision

import (
	"bytes"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"whence/internal/merge"
)

// Block is a block of Markdown that holds no others.
type Block struct {
	Kind  BlockKind
	Level int          // of a heading, 1 to 6
	Top   bool         // it is a child of the document: in no list and no quote
	Lines []merge.Span // of text and code, in order, without the markers around them and line ends
	Start int          // of a heading that has text, or HTML: where its first line starts
	End   int          // of the same: where the line after it starts
}

// BlockKind is the kind of a block.
type BlockKind int

const (
	Paragraph BlockKind = iota // also an item of a list
	HeadingBlock
	CodeBlock // a code fence, or an indented one
	HTMLBlock // also a comment
	OtherBlock
)

// blockParser reads blocks alone: definitions of links are text, and markup inside of lines is not read.
var blockParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
})

// content returns the Markdown of a text, at the same offsets from base: front matter and byte-order mark
// are cut off, and no carriage return is before the end of a line.
func content(src []byte) (markdown []byte, base int) {
	base = contentStart(src)
	if !bytes.Contains(src[base:], []byte("\r\n")) {
		return src[base:], base
	}
	return bytes.ReplaceAll(src[base:], []byte("\r\n"), []byte(" \n")), base
}

// readBlocks fills the blocks of a text, unless it is nested too deeply.
func (m *Markdown) readBlocks() {
	if m.TooDeep = tooDeep(m.Source); m.TooDeep > 0 {
		return
	}
	markdown, base := content(m.Source)
	document := blockParser().Parse(text.NewReader(markdown))
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		m.addBlock(n, base, true)
	}
}

// addBlock appends a block, or those that it holds.
func (m *Markdown) addBlock(n ast.Node, base int, top bool) {
	b := Block{Top: top}
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
	case *ast.Heading:
		b.Kind, b.Level = HeadingBlock, n.Level
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		b.Kind = CodeBlock
	case *ast.HTMLBlock:
		b.Kind = HTMLBlock
	default:
		b.Kind = OtherBlock
	}
	if lines := n.Lines(); b.Kind != OtherBlock {
		b.Lines = make([]merge.Span, lines.Len())
		for i := range b.Lines {
			at := lines.At(i)
			stop := base + at.Start + len(bytes.TrimRight(m.Source[base+at.Start:base+at.Stop], "\r\n"))
			b.Lines[i] = merge.Span{Start: base + at.Start, End: stop}
		}
	}
	if len(b.Lines) > 0 && (b.Kind == HeadingBlock || b.Kind == HTMLBlock) {
		m.bound(&b, n, base)
	}
	if b.Kind == HTMLBlock {
		b.Lines = nil
	}
	m.blocks = append(m.blocks, b)
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if child.Type() == ast.TypeBlock {
			m.addBlock(child, base, false)
		}
	}
}

// bound sets where a heading or HTML starts and ends.
func (m *Markdown) bound(b *Block, n ast.Node, base int) {
	first, last := b.Lines[0].Start, b.Lines[len(b.Lines)-1].End
	b.Start, b.End = m.lineStart(first), m.nextLine(last)
	if html, is := n.(*ast.HTMLBlock); is {
		b.Start = first
		if html.HasClosure() {
			b.End = m.nextLine(base + html.ClosureLine.Start)
		}
		return
	}
	if bytes.IndexByte(m.Source[b.Start:first], '#') < 0 { // its underline follows
		b.End = m.nextLine(b.End)
	}
}
