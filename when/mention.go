package when

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"whence/internal/decision"
	"whence/internal/merge"
)

// mention is a query, or a command with several, in a Markdown text.
type mention struct {
	queries []string
	short   string // the query without what may be a remark after it, or ""
	line    int    // 1-based
	column  int    // 1-based, in code points
	offset  int
}

// mentions returns the queries in a text in order, as docs/recall.md defines them. A false mention
// stops a commit, so doubtful ones are left out.
func mentions(src []byte) []mention {
	r := mentionReader{text: decision.NewMarkdown(src)}
	texts := r.text.Texts()
	entries := false // below the path of a decision file: entries of an index
	for _, t := range texts {
		if t.Kind == decision.Title {
			entries = r.isPath(t)
		}
		switch {
		case entries:
		case t.Kind == decision.Code:
			r.code(t)
		case t.Label >= 0 && r.isLabel(texts[t.Label]):
			r.batchItem(t)
		default:
			r.prose(t)
		}
	}
	sort.SliceStable(r.found, func(a, b int) bool { return r.found[a].offset < r.found[b].offset })
	r.found = slices.CompactFunc(r.found, func(a, b mention) bool { return a.offset == b.offset })
	r.setPositions()
	return r.found
}

// mentionReader collects the mentions in a text.
type mentionReader struct {
	text  decision.Markdown
	found []mention
}

// isPath reports whether a heading is the path of a Markdown file.
func (r *mentionReader) isPath(t decision.Text) bool {
	if len(t.Lines) != 1 {
		return false
	}
	title := r.excerpt(t.Lines[0]).text
	return strings.HasSuffix(title, ".md") && strings.Contains(title, "/") && !strings.ContainsAny(title, " `")
}

// excerpt is a part of the text and its offset.
type excerpt struct {
	text string
	at   int
}

// from returns the excerpt without its first n bytes, and without surrounding spaces and tabs.
func (p excerpt) from(n int) excerpt {
	rest := strings.TrimLeft(p.text[n:], " \t")
	return excerpt{strings.TrimRight(rest, " \t"), p.at + len(p.text) - len(rest)}
}

func (r *mentionReader) excerpt(l merge.Span) excerpt {
	return excerpt{string(r.text.Source[l.Start:l.End]), l.Start}.from(0)
}

// add adds the query of an excerpt, or those given, unless one has a placeholder.
func (r *mentionReader) add(p excerpt, queries ...string) {
	short := ""
	if len(queries) == 0 {
		queries = []string{p.text}
		if without := withoutRemark(p.text); without != p.text {
			short = without
		}
	}
	if slices.ContainsFunc(queries, hasPlaceholder) {
		return
	}
	r.found = append(r.found, mention{queries: queries, short: short, offset: p.at})
}

// setPositions sets the lines and columns of the mentions, which are in order.
func (r *mentionReader) setPositions() {
	at, line, column := 0, 0, 1
	for i := range r.found {
		m := &r.found[i]
		if m.line = r.text.LineAt(m.offset); m.line != line {
			line, column = m.line, 1
			at = bytes.LastIndexByte(r.text.Source[:m.offset], '\n') + 1
		}
		column += utf8.RuneCount(r.text.Source[at:m.offset])
		m.column, at = column, m.offset
	}
}

// prose reads a paragraph, an item of a list or the title of a heading.
func (r *mentionReader) prose(t decision.Text) {
	for _, span := range r.text.CodeSpansIn(t) {
		r.span(excerpt{span.Text, span.Start}.from(0))
	}
	lines := make([]excerpt, len(t.Lines))
	queries := 0
	for i, l := range t.Lines {
		lines[i] = r.excerpt(l)
		if i == 0 && t.Item {
			lines[i] = withoutTask(lines[i])
		}
		r.emphasised(lines[i])
		if isBareQuery(lines[i].text) {
			queries++
		}
	}
	switch header := tableHeader(lines); {
	case t.Kind == decision.Title:
	case header >= 0:
		for i, l := range lines[header:] {
			if i != 1 {
				r.row(l)
			}
		}
	case queries == len(lines) || queries == len(lines)-1 && isLabelLine(lines[queries].text):
		for _, l := range lines[:queries] {
			r.bare(l)
		}
	case t.Item && withoutRemark(lines[0].text) != lines[0].text: // a wrapped item
		r.bare(lines[0])
	}
}

// span reads a code span.
func (r *mentionReader) span(p excerpt) {
	if isQuery(p.text) {
		r.add(p)
	} else if queries, quoted := commandQueries(p.text); quoted {
		r.add(p, queries...)
	}
}

// emphasised reads the emphasised queries of a line.
func (r *mentionReader) emphasised(l excerpt) {
	for _, start := range []string{"/when ", "/how ", separator + " "} {
		for at := 0; ; at++ {
			next := strings.Index(l.text[at:], start)
			if next < 0 {
				break
			}
			at += next
			before := strings.TrimRight(l.text[:at], "*")
			if before == l.text[:at] {
				before = strings.TrimRight(l.text[:at], "_")
			}
			mark := l.text[len(before):at]
			if mark == "" || len(mark) > 3 || before != "" && !strings.ContainsAny(before[len(before)-1:], " (\t") {
				continue
			}
			inner, _, closed := strings.Cut(l.text[at:min(len(l.text), at+maxQueryBytes)], mark)
			if closed && isBareQuery(inner) && !strings.ContainsAny(inner, "`|") && inner == strings.TrimSpace(inner) {
				r.add(excerpt{inner, l.at + at})
			}
		}
	}
}

// row reads the cells of a line of a table.
func (r *mentionReader) row(l excerpt) {
	start := 0
	for i := 0; i <= len(l.text); i++ {
		if i == len(l.text) || l.text[i] == '|' && (i == 0 || l.text[i-1] != '\\') {
			r.bare(excerpt{l.text[start:i], l.at + start}.from(0))
			start = i + 1
		}
	}
}

// bare reads an unmarked query: a whole line, item or cell, possibly with a remark after it.
func (r *mentionReader) bare(p excerpt) {
	short := withoutRemark(p.text)
	if !isBareQuery(short) || strings.ContainsAny(p.text, "`|") || hasPlaceholder(short) || isSentence(short) {
		return
	}
	if short == p.text || len(p.text) > maxQueryBytes {
		r.add(excerpt{short, p.at})
		return
	}
	r.found = append(r.found, mention{queries: []string{p.text}, short: short, offset: p.at})
}

// batchItem reads an item of a list below a lone operator. The operator may be missing.
func (r *mentionReader) batchItem(t decision.Text) {
	item := withoutTask(r.excerpt(t.Lines[0]))
	for _, span := range r.text.CodeSpansIn(t) {
		p := excerpt{span.Text, span.Start}.from(0)
		if span.Start-item.at > 0 && strings.Trim(item.text[:min(span.Start-item.at, len(item.text))], "` ") == "" {
			r.add(p)
			continue
		}
		r.span(p)
	}
	r.emphasised(item)
	mark := item.text[:len(item.text)-len(strings.TrimLeft(item.text, "*_"))]
	switch {
	case item.text == "" || item.text[0] == '`' || item.text[0] == '[':
	case mark != "":
		if inner, _, closed := strings.Cut(item.text[len(mark):], mark); closed {
			r.add(excerpt{inner, item.at + len(mark)})
		}
	default:
		for _, l := range t.Lines[1:] {
			if len(item.text) < maxQueryBytes {
				item.text += " " + r.excerpt(l).text
			}
		}
		if short := withoutRemark(item.text); !hasPlaceholder(short) {
			r.found = append(r.found, mention{queries: []string{item.text}, short: short, offset: item.at})
		}
	}
}

// isLabel reports whether a text is a lone operator, or ends with a line that is.
func (r *mentionReader) isLabel(t decision.Text) bool {
	return t.Kind == decision.Paragraph && isLabelLine(r.excerpt(t.Lines[len(t.Lines)-1]).text)
}

func isLabelLine(line string) bool { return line == "/when" || line == "/how" }

// isQuery reports whether a text begins as a query does. A section sign with a number cites
// a law or contract.
func isQuery(text string) bool {
	for _, operator := range []string{"/when ", "/how "} {
		if rest, found := strings.CutPrefix(text, operator); found {
			return strings.TrimSpace(rest) != ""
		}
	}
	target, found := strings.CutPrefix(text, separator+" ")
	target = strings.TrimLeft(target, " ")
	return found && target != "" && !strings.HasPrefix(target, separator) && !isCited(target)
}

// isCited reports whether the text after a section sign begins with an Arabic or Roman number.
func isCited(target string) bool {
	word, _, _ := strings.Cut(target, " ")
	return '0' <= target[0] && target[0] <= '9' || strings.Trim(word, "IVXLC.") == "" && word[0] != '.'
}

// isBareQuery is isQuery for text without code marks, where a section sign is an operator only
// before a dot or a file name.
func isBareQuery(text string) bool {
	target, found := strings.CutPrefix(text, separator)
	if !found {
		return isQuery(text)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(target), " ")
	return isQuery(text) && (len(first) > 1 && first[0] == '.' || strings.HasSuffix(first, ".md"))
}

// remarks begin a remark after a bare query.
var remarks = []string{" #", " (", " - ", " – ", " — ", " → ", " -> ", " => ", ", ", "; ", ": ", ". ", "\t"}

// withoutRemark removes a remark.
func withoutRemark(text string) string {
	end := len(text)
	for _, start := range remarks {
		if i := strings.Index(text[:end], start); i > 0 {
			end = i
		}
	}
	return strings.TrimRight(text[:end], " \t")
}

// maxBareWords is the maximal number of words of a bare trigger.
const maxBareWords = 8

// verbs follow an operator that is the subject of a sentence.
var verbs = []string{
	"accepts", "and", "are", "can", "cannot", "did", "does", "finds", "gives", "had", "has", "have", "is",
	"looks", "may", "must", "needs", "only", "or", "prints", "returns", "should", "shows", "takes", "was",
	"were", "will", "works",
}

// isSentence reports whether a text is about an operator, and not a query.
func isSentence(text string) bool {
	if strings.ContainsAny(text[len(text)-1:], ".:;,!?") {
		return true
	}
	_, rest := cutOperator(text)
	if strings.HasPrefix(rest, separator) || strings.HasPrefix(rest, ".") {
		return false
	}
	words := strings.Fields(rest)
	return len(words) > maxBareWords || slices.Contains(verbs, words[0]) || strings.Contains(rest, " /when") || strings.Contains(rest, " /how") || strings.Contains(rest, separator)
}

// withoutTask removes the box of a task from a list item.
func withoutTask(p excerpt) excerpt {
	for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
		if strings.HasPrefix(p.text, box) {
			return p.from(len(box))
		}
	}
	return p
}

// tableHeader returns the index of the line that heads a table, or -1.
func tableHeader(lines []excerpt) int {
	for i, l := range lines {
		if i > 0 && strings.ContainsRune(l.text, '|') && strings.ContainsRune(l.text, '-') && strings.Trim(l.text, "|-: \t") == "" {
			return i - 1
		}
	}
	return -1
}

// hasPlaceholder reports whether a query has a placeholder or is a whole entry of an index.
func hasPlaceholder(query string) bool {
	return strings.ContainsAny(query, "<>{}[]$*|…") || strings.Contains(query, "...")
}
