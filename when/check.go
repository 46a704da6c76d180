package when

import (
	"errors"
	"fmt"

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
	text := decision.NewMarkdown(src)
	if text.TooDeep > 0 {
		return nil, fmt.Errorf("%s:%d is nested too deeply: flatten its lists or quotes", path, text.TooDeep)
	}
	var found []finding.Finding
	errs := map[string]error{} // by query: documents repeat them
	for _, m := range mentions(text) {
		err, known := errs[m.query]
		if !known {
			err = l.checkQuery(m.query)
			errs[m.query] = err
		}
		if broken := (*unreadableError)(nil); errors.As(err, &broken) {
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

func (l *Library) checkQuery(query string) error {
	q, err := ParseQuery(query)
	if err == nil {
		_, err = l.Resolve(q)
	}
	return err
}
