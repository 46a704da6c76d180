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

// Markdown is any Markdown text: a decision file, or one whose headings do not matter.
type Markdown struct {
	Source  []byte
	TooDeep int // the first line whose lists or quotes are nested too deeply to be read, or 0

	lineStarts []int
	blocks     []Block // none if the text is nested too deeply
}

// NewMarkdown returns a text as Markdown. It accepts any input.
func NewMarkdown(src []byte) Markdown {
	m := Markdown{Source: src, lineStarts: make([]int, 0, bytes.Count(src, []byte{'\n'})+1)}
	at := 0
	for line := range bytes.Lines(src) {
		m.lineStarts = append(m.lineStarts, at)
		at += len(line)
	}
	if at == 0 || src[at-1] == '\n' {
		m.lineStarts = append(m.lineStarts, at)
	}
	m.readBlocks()
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
	Start int          // where the first line of a heading or of HTML starts, else its text; without lines, that of the block before
	End   int          // of a heading that has text, or HTML: where the line after it starts
}

// text returns the lines of a block, trimmed.
func (m *Markdown) text(b Block) string {
	lines := make([]string, len(b.Lines))
	for i, l := range b.Lines {
		lines[i] = strings.TrimSpace(string(m.Source[l.Start:l.End]))
	}
	return strings.Join(lines, "\n")
}

// paragraphs returns the paragraphs and list items between two offsets, without unchecked items of check lists.
func (m *Markdown) paragraphs(start, end int) (all []string) {
	for _, b := range m.blocks[sort.Search(len(m.blocks), func(i int) bool { return m.blocks[i].Start >= start }):] {
		if b.Start >= end {
			break
		}
		if text := m.text(b); b.Kind == Paragraph && !strings.HasPrefix(text, "[ ]") {
			all = append(all, text)
		}
	}
	return all
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

// blockParser reads only blocks: link definitions are text, and markup inside of lines is not read.
var blockParser = sync.OnceValue(func() parser.Parser {
	all := parser.DefaultBlockParsers()
	for i, p := range all {
		if p.Value == parser.NewListParser() || p.Value == parser.NewBlockquoteParser() {
			all[i].Value = boundedParser{p.Value.(parser.BlockParser)}
		}
	}
	return parser.NewParser(parser.WithBlockParsers(all...))
})

// content returns the Markdown of a text, which starts at offset base, after front matter and byte-order mark. It has a
// space for each carriage return at the end of a line, so offsets stay the same.
func content(src []byte) (markdown []byte, base int) {
	base = contentStart(src)
	if !bytes.Contains(src[base:], []byte("\r\n")) {
		return src[base:], base
	}
	return bytes.ReplaceAll(src[base:], []byte("\r\n"), []byte(" \n")), base
}

// readBlocks fills the blocks of a text, unless it is nested too deeply.
func (m *Markdown) readBlocks() {
	markdown, base := content(m.Source)
	pc := parser.NewContext()
	document := blockParser().Parse(text.NewReader(markdown), parser.WithContext(pc))
	if at, isTooDeep := pc.Get(tooDeepKey).(int); isTooDeep {
		m.TooDeep = m.LineAt(base + at)
		return
	}
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		m.addBlock(n, base, true)
	}
}

// addBlock appends a block, then those that it holds.
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
	if len(b.Lines) > 0 {
		b.Start = b.Lines[0].Start
	} else if len(m.blocks) > 0 {
		b.Start = m.blocks[len(m.blocks)-1].Start
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

// maxNested bounds how many lists and quotes can be open together, since each line takes time for all of them.
const maxNested = 50

// tooDeepKey is the key, in the context of a parse, of the offset at which lists and quotes are nested too deeply.
var tooDeepKey = parser.NewContextKey()

// boundedParser is a parser of lists or quotes that opens no more of them once they are nested too deeply. What other
// parsers take for code or text does not nest.
type boundedParser struct{ parser.BlockParser }

func (p boundedParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	_, at := r.Position()
	n, state := p.BlockParser.Open(parent, r, pc)
	if n == nil || pc.Get(tooDeepKey) != nil {
		return nil, parser.NoChildren
	}
	nested := 1
	for ; parent != nil; parent = parent.Parent() {
		if kind := parent.Kind(); kind == ast.KindList || kind == ast.KindBlockquote {
			nested++
		}
	}
	if nested > maxNested {
		pc.Set(tooDeepKey, at.Start)
	}
	return n, state
}
