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
	p := blockParser{source: src, open: []*block{document}}
	for at := base; at < len(src); {
		next := len(src)
		if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		p.line(at, next)
		at = next
	}
	p.closeLeaf()
	return document
}

type blockParser struct {
	source []byte
	open   []*block // the document, then the quotes and items that are open
	leaf   *block   // the open block of lines in the last of them, or nil

	spans  []merge.Span // lines of all leaves, in order
	first  int          // index of the first line of the open leaf
	filled int          // of code: how many spans there were after its last line that is not blank
	fence  []byte       // the marker that opened the fence
	indent int          // columns before it
	html   htmlKind     // of the open HTML block

	cursor
}

// cursor is a position in a line. Its column may be inside a tab, which reaches to a multiple of four.
type cursor struct {
	source     []byte
	at, end    int // offsets: of the next byte, and of the line's end without white space
	column     int
	start, eol int // offsets: of the line, and of the next one
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
	p.cursor = cursor{source: p.source, at: start, end: start + len(text), start: start, eol: next}
	matched := 1
	for matched < len(p.open) && p.continues(p.open[matched]) {
		matched++
	}
	if matched == len(p.open) && p.leaf != nil && p.leaf.kind != paragraphBlock && p.continuesLeaf() {
		return
	}
	if p.leaf != nil && p.leaf.kind != paragraphBlock {
		p.closeLeaf()
	}
	for p.opensContainer(&matched) {
	}
	columns, at := p.indentation()
	switch {
	case at == p.end: // blank
		p.close(matched)
	case p.opensLeaf(matched, columns, at):
	case p.leaf != nil: // the paragraph goes on, even if what holds it is not marked
		p.addLine(at)
	default:
		p.openLeaf(matched, paragraphBlock, at)
		p.addLine(at)
	}
}

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
			p.leaf.end = p.eol
			p.closeLeaf()
			return true
		}
		p.skip(min(columns, p.indent))
	case htmlBlock:
		if isBlank && p.html.endsAtBlank() {
			return false
		}
		p.leaf.end = p.eol
		if p.html.ends(p.source[p.at:p.eol]) {
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
		p.leaf.end, p.filled = p.eol, len(p.spans)
	}
	return true
}

// closesFence reports whether the line, from an offset on, closes the fence.
func (p *blockParser) closesFence(at int) bool {
	rest, found := bytes.CutPrefix(p.source[at:p.end], p.fence)
	return found && len(bytes.TrimLeft(rest, string(p.fence[0]))) == 0
}

// opensContainer opens the quote or item that begins at the cursor, and moves over its mark.
func (p *blockParser) opensContainer(matched *int) bool {
	columns, at := p.indentation()
	if columns >= columnsOfCode || at == p.end {
		return false
	}
	if p.passQuote(columns, at) {
		p.close(*matched)
		p.openIn(last(p.open), &block{kind: quoteBlock})
		*matched++
		return true
	}
	text := p.source[at:p.end]
	n := markerLength(text)
	isHeading := p.leaf != nil && *matched == len(p.open) && isUnderline(text)
	if n == 0 || text[0] == '>' || isHeading || isRule(text) {
		return false
	}
	isEmpty := n >= len(text)
	isNumber := '0' <= text[0] && text[0] <= '9'
	inParagraph := p.leaf != nil && *matched == len(p.open)
	if isNumber && n > 10 || inParagraph && (isEmpty || isNumber && string(text[:n-1]) != "1") {
		return false // a number or a dash in the text
	}
	p.close(*matched)
	p.skip(columns)
	p.pass(n)
	spaces, _ := p.indentation()
	if isEmpty || spaces > columnsOfCode { // the text is on the next line, or is code
		spaces = 1
	}
	p.skip(spaces)
	parent := last(p.open)
	list := last(parent.children)
	if list == nil || list.kind != listBlock || list.marker != text[n-1] {
		list = &block{kind: listBlock, marker: text[n-1]}
		parent.children = append(parent.children, list)
	}
	p.openIn(list, &block{kind: itemBlock, columns: columns + n + spaces})
	*matched++
	return true
}

func (p *blockParser) openIn(parent, b *block) {
	parent.children = append(parent.children, b)
	p.open = append(p.open, b)
}

// opensLeaf opens the leaf other than a paragraph that begins after the cursor, with the text at an
// offset behind so many columns.
func (p *blockParser) opensLeaf(matched, columns, at int) bool {
	text := p.source[at:p.end]
	inParagraph := p.leaf != nil
	if columns >= columnsOfCode {
		if inParagraph {
			return false
		}
		p.openLeaf(matched, codeBlock, at)
		p.skip(columnsOfCode)
		p.addSpan(p.at)
		p.filled = len(p.spans)
		return true
	}
	if html := htmlOf(text, inParagraph); html != noHTML {
		p.openLeaf(matched, htmlBlock, p.at)
		p.html = html
		if html.ends(p.source[at:p.eol]) {
			p.closeLeaf()
		}
		return true
	}
	switch {
	case text[0] == '#':
		return p.opensHeading(matched, at)
	case text[0] == '`' || text[0] == '~':
		return p.opensFence(matched, columns, at)
	case inParagraph && matched == len(p.open) && isUnderline(text):
		p.leaf.kind, p.leaf.level, p.leaf.end = headingBlock, 2, p.eol
		if text[0] == '=' {
			p.leaf.level = 1
		}
		p.closeLeaf()
	case isRule(text):
		p.openLeaf(matched, ruleBlock, at)
		p.closeLeaf()
	default:
		return false
	}
	return true
}

// opensHeading opens the heading of a line that begins with a hash at an offset.
func (p *blockParser) opensHeading(matched, at int) bool {
	title := bytes.TrimLeft(p.source[at:p.end], "#")
	level := p.end - at - len(title)
	if level > 6 || len(title) > 0 && title[0] != ' ' && title[0] != '\t' {
		return false
	}
	if closed := bytes.TrimRight(title, "#"); len(closed) == 0 || bytes.HasSuffix(closed, []byte(" ")) || bytes.HasSuffix(closed, []byte("\t")) {
		title = closed
	}
	p.openLeaf(matched, headingBlock, at)
	p.leaf.level = level
	if text := bytes.TrimSpace(title); len(text) > 0 {
		from := at + level + bytes.Index(title, text)
		p.spans = append(p.spans, merge.Span{Start: from, End: from + len(text)})
	}
	p.closeLeaf()
	return true
}

// opensFence opens the fence of a line that begins with a back-quote or a tilde at an offset.
func (p *blockParser) opensFence(matched, columns, at int) bool {
	text := p.source[at:p.end]
	info := bytes.TrimLeft(text, string(text[0]))
	n := len(text) - len(info)
	if n < 3 || text[0] == '`' && bytes.IndexByte(info, '`') >= 0 {
		return false
	}
	p.openLeaf(matched, fenceBlock, at)
	p.leaf.info = string(bytes.TrimSpace(info))
	p.fence, p.indent, p.filled = text[:n], columns, len(p.spans)
	return true
}

// openLeaf opens a leaf that starts at an offset in the line, and closes what it does not belong to.
func (p *blockParser) openLeaf(matched int, kind blockKind, at int) {
	p.close(matched)
	parent := last(p.open)
	p.leaf = &block{kind: kind, start: at, end: p.eol}
	p.first = len(p.spans)
	parent.children = append(parent.children, p.leaf)
}

// addLine adds the line, from an offset on, to the paragraph.
func (p *blockParser) addLine(at int) {
	p.leaf.end = p.eol
	p.addSpan(at)
}

func (p *blockParser) addSpan(at int) {
	end := p.eol
	for end > at && (p.source[end-1] == '\n' || p.source[end-1] == '\r') {
		end--
	}
	p.spans = append(p.spans, merge.Span{Start: at, End: end})
}

// close closes the leaf, and all but so many of the open blocks.
func (p *blockParser) close(matched int) {
	p.closeLeaf()
	p.open = p.open[:matched]
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
