package when

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"whence/internal/decision"
	"whence/internal/finding"
)

// mentionRule is the rule of the findings of Check.
var mentionRule = finding.Rule{
	Name: "unresolved-query", Summary: "a query that a document mentions has no answer",
}

// Check returns a finding for each query that a Markdown text mentions and that has no answer.
// docs/recall.md defines mentions.
func (l *Library) Check(path string, src []byte) ([]finding.Finding, error) {
	if line := decision.TooDeep(src); line > 0 {
		return nil, fmt.Errorf("%s:%d is nested too deeply: flatten its lists or quotes", path, line)
	}
	var found []finding.Finding
	errs := map[string]error{} // by query: documents repeat them
	resolve := func(query string) error {
		err, known := errs[query]
		if !known {
			err = l.checkQuery(query)
			errs[query] = err
		}
		return err
	}
	for _, m := range mentions(src) {
		queries := l.join(m.queries)
		if m.short != "" && resolve(queries[0]) != nil {
			queries = []string{m.short}
		}
		for _, query := range queries {
			err := resolve(query)
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

// checkQuery returns an error if a query has no answer and is not a placeholder.
func (l *Library) checkQuery(query string) error {
	q, err := ParseQuery(query)
	if err != nil {
		return err
	}
	_, err = l.Resolve(q)
	if notFound := (*NotFound)(nil); errors.As(err, &notFound) && isPlaceholder(q) {
		return nil
	}
	return err
}

// placeholders are words that documents write for a name when they describe queries.
var placeholders = []string{
	"trigger", "title", "section", "section title", "heading", "name", "topic", "file", "filename", "file.md", "filename.md", "name.md",
}

// isPlaceholder reports whether a query only shows how queries are written: § file.md .Title.
func isPlaceholder(q Query) bool {
	for _, name := range []string{q.Trigger, q.Title, q.File} {
		if name = strings.ToLower(strings.TrimLeft(name, ". ")); len(name) == 1 || slices.Contains(placeholders, name) {
			return true
		}
	}
	return false
}
