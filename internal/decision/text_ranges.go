package decision

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Text is a block of a Markdown file that holds text. HTML, comments and definitions of
// links are none.
type Text struct {
	Kind  TextKind
	Lines []Piece // in order, without what encloses them: marks of lists, quotes, headings
	Info  string  // of a code fence: the text behind its opening mark
	Item  bool    // the block begins an item of a list
	Label int     // index of the text directly in front of that list, or -1
}

// TextKind is the kind of block that a text is.
type TextKind int

// The kinds of texts.
const (
	Paragraph TextKind = iota
	Title              // of a heading
	Code               // a code fence, or an indented code block
)

// Piece is a range of the source.
type Piece struct{ Start, End int }

// Texts lists the blocks of text in order.
func (m *Markdown) Texts() []Text {
	t := texts{source: m.Source, base: contentStart(m.Source)}
	t.add(blockParser().Parse(text.NewReader(m.Source[t.base:])), -1)
	return t.all
}

// texts collects texts.
type texts struct {
	source []byte
	base   int // offset of the Markdown that is parsed
	all    []Text
}

// add collects what is inside of a block; label is the text in front of it, if it is a
// list.
func (t *texts) add(parent ast.Node, label int) {
	before := -1 // the text that is the block in front of this one
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

// leaf adds a text that is a block.
func (t *texts) leaf(text Text, n ast.Node) {
	text.Label = -1
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		line := t.source[t.base+seg.Start : t.base+seg.Stop]
		text.Lines = append(text.Lines, Piece{t.base + seg.Start, t.base + seg.Start + len(bytes.TrimRight(line, "\r\n"))})
	}
	t.all = append(t.all, text)
}
