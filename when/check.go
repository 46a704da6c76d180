package when

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"whence/internal/decision"
	"whence/internal/finding"
)

// mentionRule is the rule of what Check finds.
var mentionRule = finding.Rule{
	Name: "unresolved-query", Summary: "a query that a document mentions has no answer",
}

// Check finds the queries that a Markdown text mentions and that have no answer; see
// docs/recall.md for what a mention is. The path is that of the findings.
func (l *Library) Check(path string, src []byte) ([]finding.Finding, error) {
	if line := decision.TooDeep(src); line > 0 {
		return nil, fmt.Errorf("%s:%d is nested too deeply: flatten its lists or quotes", path, line)
	}
	var found []finding.Finding
	answers := map[string]error{} // of the queries, as documents repeat them
	ask := func(query string) error {
		err, known := answers[query]
		if !known {
			err = l.ask(query)
			answers[query] = err
		}
		return err
	}
	for _, m := range mentions(src) {
		queries := l.join(m.queries)
		if m.short != "" && ask(queries[0]) != nil {
			queries = []string{m.short}
		}
		for _, query := range queries {
			err := ask(query)
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
	}
	finding.Sort(found)
	return found, nil
}

// ask looks a query up and returns why it has no answer, if it has none. A query that
// names nothing in particular needs none.
func (l *Library) ask(query string) error {
	q, err := ParseQuery(query)
	if err != nil {
		return err
	}
	_, err = l.Resolve(q)
	if notFound := (*NotFound)(nil); errors.As(err, &notFound) && isNameless(q) {
		return nil
	}
	return err
}

// nameless are the words that stand for a name in a description of queries.
var nameless = []string{
	"trigger", "title", "section", "section title", "heading", "name", "topic", "file", "filename", "file.md", "filename.md", "name.md",
}

// isNameless tells whether a query shows how queries are written: § file.md .Title.
func isNameless(q Query) bool {
	for _, name := range []string{q.Trigger, q.Title, q.File} {
		if name = strings.ToLower(strings.TrimLeft(name, ". ")); len(name) == 1 || slices.Contains(nameless, name) {
			return true
		}
	}
	return false
}
