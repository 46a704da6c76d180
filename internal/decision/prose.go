package decision

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Prose returns the lines of the paragraphs and list items of Markdown text, in
// order. Headings, code, comments and other HTML, and table rows are left out.
func Prose(markdown string) []string {
	src := []byte(markdown)
	var lines []string
	_ = ast.Walk(blockParser().Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Kind() != ast.KindParagraph && n.Kind() != ast.KindTextBlock {
			return ast.WalkContinue, nil
		}
		for i := range n.Lines().Len() {
			seg := n.Lines().At(i)
			if line := strings.TrimSpace(string(seg.Value(src))); !strings.HasPrefix(line, "|") {
				lines = append(lines, line)
			}
		}
		return ast.WalkSkipChildren, nil
	})
	return lines
}
