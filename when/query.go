package when

import (
	"fmt"
	"strings"
	"unicode"

	"whence/internal/index"
)

// Kind is the kind of a query.
type Kind string

// Kinds of queries.
const (
	Entry   Kind = "entry"   // the section of one decision, by its trigger
	Section Kind = "section" // a section with all that is below it, by its title
	File    Kind = "file"    // a decision file, by its name
	Null    Kind = "null"    // nothing, on purpose
)

// Query is one thing to look up.
type Query struct {
	Text     string // as it was asked, trimmed
	Kind     Kind
	Operator string // "when", "how", or "" if none was given
	Trigger  string // of an entry; also of a ".Title", which may be a trigger that begins with a dot
	Title    string // of a section, without a dot in front
	File     string // of a file; or the one that holds the section, if it was named
}

// maxQueryBytes is the length of a query: longer text was passed by mistake.
const maxQueryBytes = 1000

// separator is the navigation operator.
const separator = "§"

// ParseQuery reads one query. All forms that are printed anywhere are accepted: a
// bare trigger, an index line's beginning ("/when writing mock tests"), a line of a
// list ("- /when …   # title"), "§ .Title", "§ file.md", "§ file.md .Title", and the
// later spellings ".Title" and "..file.md".
func ParseQuery(text string) (Query, error) {
	if len(text) > maxQueryBytes {
		return Query{}, fmt.Errorf("a query of %d bytes is too long: pass a trigger, or text to memory-when recall", len(text))
	}
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' }) {
		return Query{}, fmt.Errorf("query %q holds control characters: pass a trigger of the index", text)
	}
	q := Query{Text: strings.Join(strings.Fields(text), " ")}
	rest := strings.TrimSpace(withoutComment(withoutMarker(text)))
	q.Operator, rest = cutOperator(rest)
	switch {
	case rest == "":
		return q, fmt.Errorf("empty query %q: pass a trigger, or § with a section title or a file name", q.Text)
	case isNull(rest):
		q.Kind = Null
	case strings.HasPrefix(rest, separator):
		return q, q.navigate(strings.TrimSpace(strings.TrimPrefix(rest, separator)))
	case strings.HasPrefix(rest, ".."):
		return q, q.navigate(strings.TrimLeft(rest, "."))
	case strings.HasPrefix(rest, "."):
		q.Kind, q.Title, q.Trigger = Section, strings.TrimLeft(rest, ". "), rest
		if q.Title == "" {
			return q, fmt.Errorf("query %q names no section: write the title after the dot", q.Text)
		}
	default:
		q.Kind, q.Trigger = Entry, rest
	}
	return q, nil
}

// navigate parses what follows the navigation operator.
func (q *Query) navigate(target string) error {
	name, title, _ := strings.Cut(target, " ")
	switch {
	case target == "":
		return fmt.Errorf("query %q names nothing: write § .Section Title, or § file.md", q.Text)
	case strings.HasSuffix(strings.ToLower(target), ".md"):
		q.Kind, q.File = File, target
	case strings.HasSuffix(strings.ToLower(name), ".md"):
		q.Kind, q.File, q.Title = Section, name, strings.TrimLeft(strings.TrimSpace(title), ". ")
	default:
		q.Kind, q.Title = Section, strings.TrimLeft(target, ". ")
	}
	if q.Kind == Section && q.Title == "" {
		return fmt.Errorf("query %q names no section: write its title after the dot", q.Text)
	}
	return nil
}

// withoutMarker returns a text without the mark of a list item.
func withoutMarker(text string) string {
	text = strings.TrimSpace(text)
	for _, mark := range []string{"- ", "* "} {
		if rest, found := strings.CutPrefix(text, mark); found {
			return strings.TrimSpace(rest)
		}
	}
	return text
}

// withoutComment returns a line without its comment, which follows at least two spaces.
func withoutComment(text string) string {
	if before, _, found := strings.Cut(text, "  #"); found {
		return before
	}
	return text
}

// isNull reports whether a query is null, also after an operator without a slash.
func isNull(text string) bool {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 2 && index.IsOperator(words[0]) {
		words = words[1:]
	}
	return len(words) == 1 && words[0] == "null"
}

// cutOperator splits an operator with its slash off the front. Without a slash it may be the
// first word of the trigger: the matcher decides.
func cutOperator(text string) (operator, rest string) {
	word, rest, _ := strings.Cut(text, " ")
	name, slashed := strings.CutPrefix(strings.ToLower(word), "/")
	if slashed && index.IsOperator(name) {
		return name, strings.TrimSpace(rest)
	}
	if index.IsOperator(strings.ToLower(text)) { // nothing but an operator
		return strings.ToLower(text), ""
	}
	return "", text
}
