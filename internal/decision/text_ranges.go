package decision

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"whence/internal/merge"
)

// Text is a block of text of a Markdown file. HTML, comments and definitions of links are none.
type Text struct {
	Kind  TextKind
	Lines []merge.Span // in order, without the markers of lists, quotes and headings around them
	Info  string       // of a code fence: the text after its opening marker
	Item  bool         // the block begins an item of a list
	Label int          // index of the text directly before that list, or -1
}

// TextKind is a kind of block.
type TextKind int

// The kinds of texts.
const (
	Paragraph TextKind = iota
	Title              // of a heading
	Code               // a code fence, or an indented code block
)

// Texts returns the blocks of text in order.
func (m *Markdown) Texts() []Text {
	t := texts{source: m.Source, base: contentStart(m.Source)}
	t.add(blockParser().Parse(text.NewReader(m.Source[t.base:])), -1)
	return t.all
}

type texts struct {
	source []byte
	base   int // offset of the Markdown that is parsed
	all    []Text
}

// add collects the texts inside a block; label is the text before it, if it is a list.
func (t *texts) add(parent ast.Node, label int) {
	before := -1 // the text that is the previous block
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		start := len(t.all)
		switch n := n.(type) {
		case *ast.Paragraph, *ast.TextBlock:
			t.leaf(Text{Kind: Paragraph}, n)
		case *ast.Heading:
			t.leaf(Text{Kind: Title}, n)
		case *ast.CodeBlock:
			t.leaf(Text{Kind: Code}, n)
		case *ast.FencedCodeBlock:
			info := ""
			if n.Info != nil {
				info = string(n.Info.Segment.Value(t.source[t.base:]))
			}
			t.leaf(Text{Kind: Code, Info: info}, n)
		case *ast.List, *ast.Blockquote:
			t.add(n, before)
		case *ast.ListItem:
			t.add(n, -1)
			if isParagraph(n.FirstChild()) {
				t.all[start].Item, t.all[start].Label = true, label
			}
		}
		before = -1
		if isParagraph(n) {
			before = len(t.all) - 1
		}
	}
}

func isParagraph(n ast.Node) bool {
	return n != nil && (n.Kind() == ast.KindParagraph || n.Kind() == ast.KindTextBlock)
}

// leaf adds a block as a text.
func (t *texts) leaf(text Text, n ast.Node) {
	text.Label = -1
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		line := t.source[t.base+seg.Start : t.base+seg.Stop]
		start := t.base + seg.Start
		text.Lines = append(text.Lines, merge.Span{Start: start, End: start + len(bytes.TrimRight(line, "\r\n"))})
	}
	t.all = append(t.all, text)
}
