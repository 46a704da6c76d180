package when

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"whence/internal/text"
)

// writeText prints answers one below the other, with what is related to each. No
// section and no related line is printed twice, and none that is an answer itself.
func writeText(w io.Writer, answers []Answer) error {
	seen := map[string]bool{}
	for _, a := range answers {
		seen[a.Command] = true
	}
	var printed []string
	for _, a := range distinct(answers) {
		answer := "# " + a.Title + "\n\n" + a.Text + "\n"
		if a.Query.Kind == File {
			answer = a.Text + "\n"
		}
		if lines := relatedLines(a.Related, seen); lines != "" {
			answer += "\n---\n\nRelated:\n" + lines
		}
		printed = append(printed, answer)
	}
	_, err := io.WriteString(w, text.PrintableLines(strings.Join(printed, "\n---\n\n")))
	return err
}

// distinct leaves out answers that print the same place again, and those of null.
func distinct(answers []Answer) []Answer {
	seen := map[string]bool{}
	var left []Answer
	for _, a := range answers {
		place := fmt.Sprintf("%s:%d %t", a.File, a.Line, a.Query.Kind == File)
		if a.Query.Kind != Null && !seen[place] {
			seen[place] = true
			left = append(left, a)
		}
	}
	return left
}

// relatedLines prints the related queries that have not been printed yet, with
// their titles in a column.
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
	Query   string        `json:"query"`
	Kind    Kind          `json:"kind"`
	Header  string        `json:"header"`
	File    string        `json:"file"`
	Line    int           `json:"line"`
	Text    string        `json:"text"`
	Related []jsonRelated `json:"related"`
}

type jsonRelated struct {
	Command  string `json:"command"`
	Title    string `json:"title"`
	Relation string `json:"relation"`
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
		j := jsonAnswer{a.Query.Text, a.Query.Kind, a.Title, a.File, a.Line, a.Text, []jsonRelated{}}
		for _, r := range a.Related {
			j.Related = append(j.Related, jsonRelated(r))
		}
		out.Answers = append(out.Answers, j)
	}
	for _, f := range failures {
		out.Errors = append(out.Errors, jsonError{f.query, f.err.Error(), suggestionsOf(f.err)})
	}
	return text.WriteJSON(w, out)
}
