package when

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/text"
)

// writeText prints answers and what is related to each. No section and no related line is
// printed twice, and no related line for an answer.
func writeText(w io.Writer, answers []Answer) error {
	seen := map[string]bool{}
	for _, a := range answers {
		seen[a.Command] = true
	}
	var printed []string
	for _, a := range distinct(answers) {
		answer := "# " + a.Title + "\n\n" + a.Text + "\n"
		if a.Query.Kind == FileQuery {
			answer = a.Text + "\n"
		}
		if lines := relatedLines(a.Related, seen); lines != "" {
			answer += "\n---\n\nRelated:\n" + lines
		}
		printed = append(printed, answer)
	}
	_, err := io.WriteString(w, text.Shown(w, strings.Join(printed, "\n---\n\n")))
	return err
}

// distinct returns the answers without those to null, and without those that print the same again.
func distinct(answers []Answer) []Answer {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(answers), func(a Answer) bool {
		key := fmt.Sprintf("%s:%d %t", a.File, a.Line, a.Query.Kind == FileQuery)
		repeated := seen[key]
		seen[key] = true
		return repeated || a.Query.Kind == NullQuery
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

type jsonAnswer struct {
	Query   string    `json:"query"`
	Kind    QueryKind `json:"kind"`
	Header  string    `json:"header"`
	File    string    `json:"file"`
	Line    int       `json:"line"`
	Text    string    `json:"text"`
	Related []Related `json:"related"`

	*jsonStatus // of a document
}

type jsonStatus struct {
	Status    string   `json:"status"`
	Holds     bool     `json:"holds"`
	Successor *Related `json:"successor"`
}

type jsonError struct {
	Query       string       `json:"query"`
	Message     string       `json:"message"`
	Suggestions []Suggestion `json:"suggestions"`
}

// failure is a query that has no answer.
type failure struct {
	query string
	err   error
}

// writeJSON prints one object with the arrays "answers" and "errors".
func writeJSON(w io.Writer, answers []Answer, failures []failure) error {
	out := struct {
		Answers []jsonAnswer `json:"answers"`
		Errors  []jsonError  `json:"errors"`
	}{[]jsonAnswer{}, []jsonError{}}
	for _, a := range answers {
		related := append([]Related{}, a.Related...) // an array, also if there are none
		out.Answers = append(out.Answers, jsonAnswer{a.Query.Text, a.Query.Kind, a.Title, a.File, a.Line, a.Text, related, (*jsonStatus)(a.RecordStatus)})
	}
	for _, f := range failures {
		out.Errors = append(out.Errors, jsonError{f.query, f.err.Error(), suggestionsOf(f.err)})
	}
	return text.WriteJSON(w, out)
}
