package decision

import "whence/internal/merge"

// Text is a block of text of a Markdown file. HTML and comments are none.
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
	var t texts
	t.add(parseBlocks(m.Source, contentStart(m.Source)), -1)
	return t
}

type texts []Text

// add collects the texts inside a block; label is the text before it, if it is a list.
func (t *texts) add(parent *block, label int) {
	before := -1 // the text that is the previous block
	for _, b := range parent.children {
		start := len(*t)
		switch b.kind {
		case paragraphBlock:
			*t = append(*t, Text{Kind: Paragraph, Lines: b.lines, Label: -1})
		case headingBlock:
			*t = append(*t, Text{Kind: Title, Lines: b.lines, Label: -1})
		case codeBlock, fenceBlock:
			*t = append(*t, Text{Kind: Code, Lines: b.lines, Info: b.info, Label: -1})
		case listBlock, quoteBlock:
			t.add(b, before)
		case itemBlock:
			t.add(b, -1)
			if len(b.children) > 0 && b.children[0].kind == paragraphBlock {
				(*t)[start].Item, (*t)[start].Label = true, label
			}
		}
		before = -1
		if b.kind == paragraphBlock {
			before = start
		}
	}
}
