package decision

import (
	"bytes"

	"whence/internal/merge"
)

// block is a block of Markdown, by the rules of CommonMark 0.31 (https://spec.commonmark.org/0.31.2),
// except that definitions of links are text. Markup inside lines is not read.
type block struct {
	kind       blockKind
	children   []*block
	start, end int          // of a leaf, offsets: of its first mark, and after its last line
	lines      []merge.Span // of a leaf with text, without marks and line ends
	level      int          // of a heading, 1 to 6
	info       string       // of a fence: the text after its opening marker
	marker     byte         // of a list: what its items begin with, after the number
	columns    int          // of an item: before its text
}

type blockKind int

const (
	documentBlock blockKind = iota
	quoteBlock
	listBlock // its children are items
	itemBlock
	paragraphBlock
	headingBlock
	fenceBlock
	codeBlock // an indented one
	htmlBlock // starts before its indentation
	ruleBlock
)

// columnsOfCode is the indentation that makes a line code.
const columnsOfCode = 4

// parseBlocks reads the blocks of src from an offset on. Its time grows with the length of src times
// the depth of nesting: see TooDeep.
func parseBlocks(src []byte, base int) *block {
	document := &block{kind: documentBlock}
	p := blockParser{cursor: cursor{source: src}, open: []*block{document}}
	for line := range bytes.Lines(src[base:]) {
		p.line(base, base+len(line))
		base += len(line)
	}
	p.closeLeaf()
	return document
}

type blockParser struct {
	cursor
	open    []*block // the document, then the quotes and items that are open
	matched int      // how many of them the line belongs to
	leaf    *block   // the open block of lines in the last of them, or nil

	spans  []merge.Span // lines of all leaves, in order
	first  int          // index of the first line of the open leaf
	filled int          // of code: how many spans there were after its last line that is not blank
	fence  []byte       // the marker that opened the fence
	indent int          // columns before it
	html   htmlKind     // of the open HTML block
}

// cursor is a position in a line. Its column may be inside a tab, which reaches to a multiple of four.
type cursor struct {
	source []byte
	at     int // offset of the next byte
	column int
	end    int // offset of the line's end, without white space
	next   int // offset of the next line
}

// indentation returns how many columns of spaces and tabs follow, and the offset after them.
func (c *cursor) indentation() (columns, at int) {
	column := c.column
	for at = c.at; at < c.end; at++ {
		switch c.source[at] {
		case ' ':
			column++
		case '\t':
			column += 4 - column%4
		default:
			return column - c.column, at
		}
	}
	return column - c.column, at
}

// skip moves over as many columns of spaces and tabs, if there are.
func (c *cursor) skip(columns int) {
	for ; columns > 0 && c.at < c.end; c.at++ {
		width := 1
		switch c.source[c.at] {
		case ' ':
		case '\t':
			width = 4 - c.column%4
		default:
			return
		}
		if width > columns { // inside a tab
			c.column += columns
			return
		}
		c.column += width
		columns -= width
	}
}

// pass moves over bytes, none of them a tab.
func (c *cursor) pass(bytes int) {
	c.at += bytes
	c.column += bytes
}

// line reads the line from start to the next one.
func (p *blockParser) line(start, next int) {
	text := bytes.TrimRight(p.source[start:next], " \t\r\n")
	p.at, p.column, p.end, p.next = start, 0, start+len(text), next
	p.matched = 1
	for p.matched < len(p.open) && p.continues(p.open[p.matched]) {
		p.matched++
	}
	if p.leaf != nil && p.leaf.kind != paragraphBlock {
		if p.matched == len(p.open) && p.continuesLeaf() {
			return
		}
		p.closeLeaf()
	}
	for p.opensQuote() || p.opensItem() {
	}
	columns, at := p.indentation()
	switch {
	case at == p.end: // blank
		p.close()
	case p.opensLeaf(columns, at):
	case p.leaf != nil: // the paragraph goes on, even if what holds it is not marked
		p.leaf.end = next
		p.addSpan(at)
	default:
		p.openLeaf(paragraphBlock, at)
		p.addSpan(at)
	}
}

// inParagraph reports whether the line belongs to all that holds an open paragraph.
func (p *blockParser) inParagraph() bool { return p.leaf != nil && p.matched == len(p.open) }

// continues reports whether the line belongs to an open quote or item, and moves over its mark.
func (p *blockParser) continues(b *block) bool {
	columns, at := p.indentation()
	switch {
	case b.kind == quoteBlock:
		return p.passQuote(columns, at)
	case at == p.end: // an item may begin with one blank line
		return len(b.children) > 0
	case columns >= b.columns:
		p.skip(b.columns)
		return true
	}
	return false
}

func (p *blockParser) passQuote(columns, at int) bool {
	if columns >= columnsOfCode || at == p.end || p.source[at] != '>' {
		return false
	}
	p.skip(columns)
	p.pass(1)
	p.skip(1)
	return true
}

// continuesLeaf reports whether the line belongs to the open fence, code or HTML, and adds it.
func (p *blockParser) continuesLeaf() bool {
	columns, at := p.indentation()
	isBlank := at == p.end
	switch p.leaf.kind {
	case fenceBlock:
		if columns < columnsOfCode && p.closesFence(at) {
			p.leaf.end = p.next
			p.closeLeaf()
			return true
		}
		p.skip(min(columns, p.indent))
	case htmlBlock:
		if isBlank && p.html.endsAtBlank() {
			return false
		}
		p.leaf.end = p.next
		if p.html.ends(p.source[p.at:p.next]) {
			p.closeLeaf()
		}
		return true
	default:
		if !isBlank && columns < columnsOfCode {
			return false
		}
		p.skip(columnsOfCode)
	}
	p.addSpan(p.at)
	if !isBlank || p.leaf.kind == fenceBlock {
		p.leaf.end, p.filled = p.next, len(p.spans)
	}
	return true
}

// closesFence reports whether the line, from an offset on, closes the fence.
func (p *blockParser) closesFence(at int) bool {
	rest, found := bytes.CutPrefix(p.source[at:p.end], p.fence)
	return found && len(bytes.TrimLeft(rest, string(p.fence[0]))) == 0
}

// opensQuote opens the quote that begins after the cursor, and moves over its mark.
func (p *blockParser) opensQuote() bool {
	columns, at := p.indentation()
	if !p.passQuote(columns, at) {
		return false
	}
	p.openIn(nil, &block{kind: quoteBlock})
	return true
}

// opensItem opens the item of a list that begins after the cursor, and moves over its mark.
func (p *blockParser) opensItem() bool {
	columns, at := p.indentation()
	if columns >= columnsOfCode || at == p.end {
		return false
	}
	text := p.source[at:p.end]
	n := markerLength(text)
	if n == 0 || text[0] == '>' || isRule(text) {
		return false
	}
	isEmpty := n == len(text)
	isNumber := '0' <= text[0] && text[0] <= '9'
	if isNumber && n > 10 || p.inParagraph() && (isEmpty || isNumber && string(bytes.TrimLeft(text[:n-1], "0")) != "1") {
		return false // a number, a dash or an underline in the text
	}
	p.skip(columns)
	p.pass(n)
	spaces, _ := p.indentation()
	if isEmpty || spaces > columnsOfCode { // the text is on the next line, or is code
		spaces = 1
	}
	p.skip(spaces)
	p.openIn(&block{kind: listBlock, marker: text[n-1]}, &block{kind: itemBlock, columns: columns + n + spaces})
	return true
}

// openIn closes what the line does not belong to, and opens a block there: in a list, unless it is nil,
// or in one like it that is there already.
func (p *blockParser) openIn(list, b *block) {
	p.close()
	parent := last(p.open)
	if list != nil {
		if before := last(parent.children); before == nil || before.kind != listBlock || before.marker != list.marker {
			parent.children = append(parent.children, list)
		}
		parent = last(parent.children)
	}
	parent.children = append(parent.children, b)
	p.open = append(p.open, b)
	p.matched++
}

// opensLeaf opens the leaf other than a paragraph that begins after the cursor, with the text at an
// offset behind so many columns.
func (p *blockParser) opensLeaf(columns, at int) bool {
	text := p.source[at:p.end]
	if columns >= columnsOfCode {
		if p.leaf != nil { // a paragraph, which goes on
			return false
		}
		p.openLeaf(codeBlock, at)
		p.skip(columnsOfCode)
		p.addSpan(p.at)
		p.filled = len(p.spans)
		return true
	}
	if html := htmlOf(text, p.leaf != nil); html != noHTML {
		p.openLeaf(htmlBlock, p.at)
		p.html = html
		if html.ends(p.source[at:p.next]) {
			p.closeLeaf()
		}
		return true
	}
	switch {
	case text[0] == '#':
		return p.opensHeading(at)
	case text[0] == '`' || text[0] == '~':
		return p.opensFence(columns, at)
	case p.inParagraph() && isUnderline(text):
		p.leaf.kind, p.leaf.level, p.leaf.end = headingBlock, 2, p.next
		if text[0] == '=' {
			p.leaf.level = 1
		}
		p.closeLeaf()
	case isRule(text):
		p.openLeaf(ruleBlock, at)
		p.closeLeaf()
	default:
		return false
	}
	return true
}

// opensHeading opens the heading of a line that begins with a hash at an offset.
func (p *blockParser) opensHeading(at int) bool {
	title := bytes.TrimLeft(p.source[at:p.end], "#")
	level := p.end - at - len(title)
	if level > 6 || len(title) > 0 && title[0] != ' ' && title[0] != '\t' {
		return false
	}
	if closed := bytes.TrimRight(title, "#"); len(closed) == 0 || bytes.HasSuffix(closed, []byte(" ")) || bytes.HasSuffix(closed, []byte("\t")) {
		title = closed
	}
	p.openLeaf(headingBlock, at)
	p.leaf.level = level
	if text := bytes.TrimSpace(title); len(text) > 0 {
		from := at + level + bytes.Index(title, text)
		p.spans = append(p.spans, merge.Span{Start: from, End: from + len(text)})
	}
	p.closeLeaf()
	return true
}

// opensFence opens the fence of a line that begins with a back-quote or a tilde at an offset.
func (p *blockParser) opensFence(columns, at int) bool {
	text := p.source[at:p.end]
	info := bytes.TrimLeft(text, string(text[0]))
	n := len(text) - len(info)
	if n < 3 || text[0] == '`' && bytes.IndexByte(info, '`') >= 0 {
		return false
	}
	p.openLeaf(fenceBlock, at)
	p.leaf.info = string(bytes.TrimSpace(info))
	p.fence, p.indent, p.filled = text[:n], columns, len(p.spans)
	return true
}

// openLeaf opens a leaf that starts at an offset in the line, and closes what it does not belong to.
func (p *blockParser) openLeaf(kind blockKind, at int) {
	p.close()
	parent := last(p.open)
	p.leaf = &block{kind: kind, start: at, end: p.next}
	p.first = len(p.spans)
	parent.children = append(parent.children, p.leaf)
}

// addSpan adds the line, from an offset on, to the leaf.
func (p *blockParser) addSpan(at int) {
	text := bytes.TrimRight(p.source[at:p.next], "\r\n")
	p.spans = append(p.spans, merge.Span{Start: at, End: at + len(text)})
}

// close closes what the line does not belong to, and the leaf.
func (p *blockParser) close() {
	p.closeLeaf()
	p.open = p.open[:p.matched]
}

func (p *blockParser) closeLeaf() {
	if p.leaf == nil {
		return
	}
	if p.leaf.kind == codeBlock {
		p.spans = p.spans[:p.filled]
	}
	p.leaf.lines = p.spans[p.first:len(p.spans):len(p.spans)]
	p.leaf = nil
}

func last[T any](all []*T) *T {
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

// isRule reports whether a line is a thematic break: three or more of one character, with or
// without spaces between them.
func isRule(text []byte) bool {
	if bytes.IndexByte([]byte("-*_"), text[0]) < 0 {
		return false
	}
	marks := bytes.Count(text, text[:1])
	return marks >= 3 && marks+bytes.Count(text, []byte{' '})+bytes.Count(text, []byte{'\t'}) == len(text)
}

// isUnderline reports whether a line makes the paragraph above it a heading.
func isUnderline(text []byte) bool {
	return len(bytes.Trim(text, "=")) == 0 || len(bytes.Trim(text, "-")) == 0
}
