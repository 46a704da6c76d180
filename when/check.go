package when

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/decision"
	"whence/internal/finding"
)

// mentionRule is the rule of what Check finds.
var mentionRule = finding.Rule{
	Name: "unresolved-query", Summary: "a query that a document mentions has no answer",
}

// mention is a query in a Markdown text.
type mention struct {
	query        string
	line, column int // 1-based; the column in code points
}

// Check finds the queries that a Markdown text mentions and that have no answer: code
// spans that begin with /when, /how or §; lines and list items that are nothing else,
// also in code blocks; and the items of a list below a lone /when. Queries with a
// placeholder, as in "/when <trigger>", are not looked up. The path is that of the
// findings.
func (l *Library) Check(path string, src []byte) ([]finding.Finding, error) {
	var found []finding.Finding
	for _, m := range mentions(src) {
		q, err := ParseQuery(m.query)
		if err == nil {
			_, err = l.Resolve(q)
		}
		if broken := (*unreadable)(nil); errors.As(err, &broken) {
			return nil, err
		}
		if err == nil {
			continue
		}
		message := err.Error()
		if near := suggestionsOf(err); len(near) > 0 {
			message += ": nearest is " + near[0].Command
		}
		found = append(found, finding.Finding{Path: path, Line: m.line, Column: m.column, Rule: mentionRule.Name, Message: message})
	}
	finding.Sort(found)
	return found, nil
}

// mentions lists the queries of a text in order.
func mentions(src []byte) []mention {
	f := decision.Parse("", src)
	var all []mention
	at := func(line, start, offset int, query string) {
		if query = bareQuery(query); isQuery(query) && !hasPlaceholder(query) {
			all = append(all, mention{query, line, utf8.RuneCount(src[start:offset]) + 1})
		}
	}
	starts := []int{}
	fence, batch := "", false
	offset, number := 0, 0
	for line := range strings.Lines(string(src)) {
		number++
		starts = append(starts, offset)
		open := fence != ""
		if fence = inFence(fence, line); open == (fence != "") { // not the mark of a fence
			text := strings.TrimSpace(line)
			item := withoutMarker(strings.TrimPrefix(text, "> "))
			indent := strings.Index(line, item)
			isItem := item != text
			switch {
			case item == "/when" || item == "/how":
				batch = true
			case batch && isItem:
				if !isQuery(item) && !strings.HasPrefix(item, "`") {
					item = "/when " + item
				}
				at(number, offset, offset+indent, item)
			case open || isItem || item != "" && !strings.ContainsAny(item[len(item)-1:], ".:;,!?"):
				batch = false
				at(number, offset, offset+indent, item)
			default:
				batch = false
			}
		}
		offset += len(line)
	}
	for _, span := range f.CodeSpans() {
		start := starts[span.Line-1]
		if line := strings.TrimSpace(string(src[start:span.Start])); !isQuery(withoutMarker(line)) {
			at(span.Line, start, span.Start, strings.TrimSpace(span.Text))
		}
	}
	slices.SortStableFunc(all, func(a, b mention) int { return a.line - b.line })
	return slices.Compact(all)
}

// bareQuery cuts what stands behind a query on its line: the other fields of an entry,
// or a remark.
func bareQuery(text string) string {
	text, _, _ = strings.Cut(text, " | ")
	return strings.TrimSpace(withoutComment(text))
}

// isQuery tells whether a text begins as a query does that is written out.
func isQuery(text string) bool {
	for _, start := range []string{"/when ", "/how ", separator + " "} {
		if len(text) > len(start) && strings.HasPrefix(text, start) {
			return true
		}
	}
	return false
}

// hasPlaceholder tells whether a query stands for any of its kind.
func hasPlaceholder(query string) bool {
	return strings.ContainsAny(query, "<>{}[]$*|…") || strings.Contains(query, "...")
}
