package when

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/inert"
)

// writeText prints answers and what is related to each. It prints no section and no related line twice, and no related
// line for an answer.
func writeText(w io.Writer, answers []Answer) error {
	seen := map[string]bool{}
	for _, a := range answers {
		seen[a.Command] = true
	}
	var printed []string
	for _, a := range distinct(answers) {
		answer := "# " + a.Title + "\n\n" + a.Text + "\n"
		if a.Kind == FileQuery {
			answer = a.Text + "\n"
		}
		if lines := relatedLines(a.Related, seen); lines != "" {
			answer += "\n---\n\nRelated:\n" + lines
		}
		printed = append(printed, answer)
	}
	_, err := io.WriteString(w, inert.Shown(w, strings.Join(printed, "\n---\n\n")))
	return err
}

// distinct returns the answers except those to null and those that would print the same again.
func distinct(answers []Answer) []Answer {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(answers), func(a Answer) bool {
		key := fmt.Sprintf("%s:%d %t", a.File, a.Line, a.Kind == FileQuery)
		repeated := seen[key]
		seen[key] = true
		return repeated || a.Kind == NullQuery
	})
}

// relatedLines formats the related queries that are not in seen yet, with their titles in a column.
func relatedLines(related []Related, seen map[string]bool) string {
	width := 0
	var fresh []Related
	for _, r := range related {
		if !seen[r.Command] {
			seen[r.Command] = true
			fresh = append(fresh, r)
			width = max(width, utf8.RuneCountInString(r.Command))
		}
	}
	var out strings.Builder
	for _, r := range fresh {
		title := r.Title
		if r.Relation == "sibling" {
			title += " (sibling)"
		}
		fmt.Fprintf(&out, "- %-*s  # %s\n", width, r.Command, title)
	}
	return out.String()
}

// failure is a query that has no answer.
type failure struct {
	Query       string       `json:"query"`
	Message     string       `json:"message"`
	Suggestions []Suggestion `json:"suggestions"`
	Left        string       `json:"left,omitempty"` // how many suggestions are left out
}

func newFailure(query string, err error) failure {
	f := failure{strings.TrimSpace(query), err.Error(), []Suggestion{}, ""}
	if missing := (*NotFound)(nil); errors.As(err, &missing) {
		f.Suggestions, f.Left = append(f.Suggestions, missing.Suggestions...), missing.Left()
	}
	return f
}

// writeFailure reports a query without an answer, and queries to try instead.
func writeFailure(w io.Writer, f failure) {
	message := inert.Printable(f.Message)
	if len(f.Suggestions) == 0 {
		fmt.Fprintf(w, "memory-when: %s\n", message)
		return
	}
	fmt.Fprintf(w, "memory-when: %s; pass one of these to memory-when:\n", message)
	inert.SayWhose(w, inert.FromDecisions)
	for _, s := range f.Suggestions {
		line := "- " + s.Command
		if s.Why != "" {
			line += "  # " + s.Why
		}
		fmt.Fprintln(w, inert.Printable(line))
	}
	if f.Left != "" {
		fmt.Fprintln(w, f.Left)
	}
}

// writeJSON prints one object with the arrays "answers" and "errors".
func writeJSON(w io.Writer, answers []Answer, failures []failure) error {
	return inert.WriteJSON(w, struct {
		Answers []Answer  `json:"answers"`
		Errors  []failure `json:"errors"`
	}{append([]Answer{}, answers...), append([]failure{}, failures...)}) // empty arrays rather than null
}
