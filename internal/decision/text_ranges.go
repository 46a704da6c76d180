package decision

import "whence/internal/merge"

// Text is a block of text of a Markdown file. HTML and comments are none.
type Text struct {
	Code  bool         // a code fence, or an indented code block
	Lines []merge.Span // in order, without the markers of lists, quotes and headings around them
}

// Texts returns the blocks of text in order.
func (m *Markdown) Texts() (texts []Text) {
	var add func(parent *block)
	add = func(parent *block) {
		for _, b := range parent.children {
			switch b.kind {
			case paragraphBlock, headingBlock:
				texts = append(texts, Text{Lines: b.lines})
			case codeBlock, fenceBlock:
				texts = append(texts, Text{Code: true, Lines: b.lines})
			default:
				add(b)
			}
		}
	}
	add(parseBlocks(m.Source, contentStart(m.Source)))
	return texts
}
