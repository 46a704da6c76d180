package decision

import (
	"bytes"
	"sort"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"whence/internal/merge"
)

// Markdown is any Markdown text: a decision file, or another one that is not read for its headings.
type Markdown struct {
	Source  []byte
	TooDeep int // the first line whose lists or quotes are nested too deeply to be read, or 0

	lineStarts []int
	blocks     []Block // none if the text is nested too deeply
}

// NewMarkdown returns a text as Markdown. It accepts any input.
func NewMarkdown(src []byte) Markdown {
	m := unread(src)
	m.readBlocks()
	return m
}

// unread returns a text without its blocks.
func unread(src []byte) Markdown {
	m := Markdown{Source: src, lineStarts: make([]int, 0, bytes.Count(src, []byte{'\n'})+1)}
	at := 0
	for line := range bytes.Lines(src) {
		m.lineStarts = append(m.lineStarts, at)
		at += len(line)
	}
	if at == 0 || src[at-1] == '\n' {
		m.lineStarts = append(m.lineStarts, at)
	}
	return m
}

// Blocks returns the blocks of a text, in order.
func (m *Markdown) Blocks() []Block { return m.blocks }

// LineAt returns the 1-based number of the line at an offset.
func (m *Markdown) LineAt(offset int) int { return sort.SearchInts(m.lineStarts, offset+1) }

// Line returns a line by its 1-based number, without its "\n"; "" if there is none.
func (m *Markdown) Line(number int) string {
	if number < 1 || number > len(m.lineStarts) {
		return ""
	}
	line, _, _ := bytes.Cut(m.Source[m.lineStarts[number-1]:], []byte("\n"))
	return string(line)
}

func (m *Markdown) lineStart(offset int) int { return m.lineStarts[m.LineAt(offset)-1] }

// nextLine returns where the line after the one at an offset starts.
func (m *Markdown) nextLine(offset int) int {
	if i := bytes.IndexByte(m.Source[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(m.Source)
}

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

// Each line takes time for all lists and quotes that are open, so their nesting is bounded.
const (
	maxIndentColumns = 100
	maxMarkers       = 50 // of lists and quotes
)

// tooDeep returns the number of the first line whose lists or quotes are nested too deeply, or 0.
func tooDeep(src []byte) (line int) {
	for text := range bytes.Lines(src) {
		line++
		if isDeep(bytes.TrimRight(text, "\r\n")) {
			return line
		}
	}
	return 0
}

// isDeep reports whether a line has too many markers of lists and quotes before its text, or one after too
// many columns. Indented text without a marker does not count.
func isDeep(line []byte) bool {
	rest := line
	for markers := 1; ; markers++ {
		rest = bytes.TrimLeft(rest, " \t")
		n := markerLength(rest)
		if n == 0 { // the text
			return false
		}
		before := line[:len(line)-len(rest)]
		if markers > maxMarkers || len(before)+3*bytes.Count(before, []byte("\t")) > maxIndentColumns {
			return true
		}
		rest = rest[n:]
	}
}

// markerLength returns the length of the quote or list marker that a line begins with, or 0.
func markerLength(line []byte) int {
	if bytes.HasPrefix(line, []byte(">")) {
		return 1
	}
	digits := len(line) - len(bytes.TrimLeft(line, "0123456789"))
	marks := "-*+"
	if digits > 0 {
		marks = ".)"
	}
	rest := line[digits:]
	if len(rest) == 0 || !strings.Contains(marks, string(rest[:1])) || len(rest) > 1 && rest[1] != ' ' && rest[1] != '\t' {
		return 0
	}
	return digits + 1
}
