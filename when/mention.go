package when

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/decision"
	"whence/internal/merge"
)

// mention is a query in a Markdown text. It is at the code span or line that it begins.
type mention struct {
	query        string
	line, column int // from 1, the column in code points
}

// mentions returns the queries in a text in order: those of code spans and of lines of code blocks. A
// false mention stops a commit, so prose does not count.
func mentions(text decision.Markdown) (found []mention) {
	codes := text.CodeSpans()
	for _, b := range text.Blocks() {
		if b.Kind != decision.CodeBlock {
			continue
		}
		isPrompt := func(l merge.Span) bool { return bytes.HasPrefix(text.Source[l.Start:l.End], []byte(prompt)) }
		prompted := slices.ContainsFunc(b.Lines, isPrompt)
		for _, l := range b.Lines {
			if isPrompt(l) == prompted { // lines without the prompt are output of commands
				codes = append(codes, decision.CodeSpan{Text: string(text.Source[l.Start:l.End]), Start: l.Start, Line: text.LineAt(l.Start)})
			}
		}
	}
	slices.SortFunc(codes, func(a, b decision.CodeSpan) int { return a.Start - b.Start })
	at, line, column := 0, 0, 0
	for _, code := range codes {
		queries := queriesIn(code.Text)
		if len(queries) == 0 {
			continue
		}
		if code.Line != line {
			at, line, column = bytes.LastIndexByte(text.Source[:code.Start], '\n')+1, code.Line, 1
		}
		column += utf8.RuneCount(text.Source[at:code.Start])
		at = code.Start
		for _, query := range queries {
			found = append(found, mention{query, line, column})
		}
	}
	return found
}

// prompt begins the commands of a console session.
const prompt = "$ "

// queriesIn returns the queries that a code span, or a line of code, begins with: /when, /how, or the
// quoted arguments of memory-when. A prompt may be before it.
func queriesIn(code string) (queries []string) {
	code = strings.TrimPrefix(strings.TrimSpace(code), prompt)
	if strings.HasPrefix(code, "/when ") || strings.HasPrefix(code, "/how ") {
		queries = append(queries, code)
	}
	rest, isCommand := strings.CutPrefix(code, "memory-when ")
	for isCommand && rest != "" && (rest[0] == '\'' || rest[0] == '"') {
		query, after, closed := strings.Cut(rest[1:], rest[:1])
		if !closed {
			break
		}
		queries, rest = append(queries, query), strings.TrimLeft(after, " ")
	}
	for _, query := range queries {
		if isExample(query) {
			return nil
		}
	}
	return queries
}

// isExample reports whether a query only shows how queries are written, as "/when <trigger>" and
// "/when …" do, or is a whole entry of an index.
func isExample(query string) bool {
	return strings.ContainsAny(query, "<>{}[]$*|…") || strings.Contains(query, "...")
}
