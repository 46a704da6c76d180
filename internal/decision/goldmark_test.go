package decision

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

var goldmarkBlocks = parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))

// goldmarkOutline returns what goldmark finds in a text: a line for each block, indented as it is nested,
// with the lines of its text.
func goldmarkOutline(src []byte) string {
	var out strings.Builder
	content := src[contentStart(src):]
	var add func(parent ast.Node, depth int)
	add = func(parent ast.Node, depth int) {
		for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
			if n.Type() != ast.TypeBlock {
				continue
			}
			name, lines := "", n.Lines
			switch n := n.(type) {
			case *ast.Blockquote:
				name, lines = "quote", nil
			case *ast.List:
				name, lines = fmt.Sprintf("list %c", n.Marker), nil
			case *ast.ListItem:
				name, lines = "item", nil
			case *ast.Paragraph, *ast.TextBlock:
				name = "paragraph"
			case *ast.Heading:
				name = fmt.Sprintf("heading %d", n.Level)
			case *ast.FencedCodeBlock:
				name = "fence"
				if n.Info != nil {
					name += " " + string(n.Info.Segment.Value(content))
				}
			case *ast.CodeBlock:
				name = "code"
			case *ast.HTMLBlock:
				name, lines = "html", nil
				if n.Lines().Len() > 0 {
					end := n.Lines().At(n.Lines().Len() - 1).Stop
					if n.HasClosure() {
						end = n.ClosureLine.Stop
					}
					name += fmt.Sprintf(" %q", strings.TrimSpace(string(content[n.Lines().At(0).Start:end])))
				}
			case *ast.ThematicBreak:
				name, lines = "rule", nil
			}
			out.WriteString(strings.Repeat(" ", depth) + name)
			if lines != nil {
				for i := range n.Lines().Len() {
					seg := n.Lines().At(i)
					out.WriteString(fmt.Sprintf(" %q", strings.TrimSpace(string(content[seg.Start:seg.Stop]))))
				}
			}
			out.WriteByte('\n')
			add(n, depth+1)
		}
	}
	add(goldmarkBlocks.Parse(text.NewReader(content)), 0)
	return out.String()
}

// outline returns the same of parseBlocks.
func outline(src []byte) string {
	var out strings.Builder
	var add func(parent *block, depth int)
	add = func(parent *block, depth int) {
		for _, b := range parent.children {
			name := map[blockKind]string{quoteBlock: "quote", itemBlock: "item", paragraphBlock: "paragraph", codeBlock: "code", ruleBlock: "rule", fenceBlock: "fence"}[b.kind]
			switch b.kind {
			case listBlock:
				name = fmt.Sprintf("list %c", b.marker)
			case headingBlock:
				name = fmt.Sprintf("heading %d", b.level)
			case htmlBlock:
				name = fmt.Sprintf("html %q", strings.TrimSpace(string(src[b.start:b.end])))
			}
			if b.info != "" {
				name += " " + b.info
			}
			out.WriteString(strings.Repeat(" ", depth) + name)
			for _, l := range b.lines {
				out.WriteString(fmt.Sprintf(" %q", strings.TrimSpace(string(src[l.Start:l.End]))))
			}
			out.WriteByte('\n')
			add(b, depth+1)
		}
	}
	add(parseBlocks(src, contentStart(src)), 0)
	return out.String()
}
