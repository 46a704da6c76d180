package when

import (
	"fmt"
	"strings"
	"unicode"

	"whence/internal/index"
)

// QueryKind is the kind of a query: what it prints.
type QueryKind string

// Kinds of queries.
const (
	EntryQuery   QueryKind = "entry"   // the section of one decision, by its trigger
	SectionQuery QueryKind = "section" // a section with all that is below it, by its title
	FileQuery    QueryKind = "file"    // a decision file, by its name
	NullQuery    QueryKind = "null"    // nothing, on purpose
)

// Query is one thing to look up.
type Query struct {
	Text     string // trimmed
	Kind     QueryKind
	Operator string // "when", "how", or "" if none was given
	Trigger  string // of an entry; also for ".Title", which may be a trigger that begins with a dot
	Title    string // of a section, without leading dots
	File     string // name of a file, or of the file of a section, if given
}

// maxQueryBytes bounds a query: longer text was passed by mistake.
const maxQueryBytes = 1000

// separator is the navigation operator.
const separator = "§"

// ParseQuery parses one query: a trigger, the beginning of an index line ("/when writing mock
// tests"), a line of a list ("- /when …  # title", "- /when …  (title)"), "§ .Title", "§ file.md", "§ file.md .Title",
// ".Title" or "..file.md".
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
		q.Kind = NullQuery
	case strings.HasPrefix(rest, separator):
		return q, q.navigate(strings.TrimSpace(strings.TrimPrefix(rest, separator)))
	case strings.HasPrefix(rest, ".."):
		return q, q.navigate(strings.TrimLeft(rest, "."))
	case strings.HasPrefix(rest, "."):
		q.Kind, q.Title, q.Trigger = SectionQuery, strings.TrimLeft(rest, ". "), rest
		if q.Title == "" {
			return q, fmt.Errorf("query %q names no section: write the title after the dot", q.Text)
		}
	default:
		q.Kind, q.Trigger = EntryQuery, rest
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
		q.Kind, q.File = FileQuery, target
	case strings.HasSuffix(strings.ToLower(name), ".md"):
		q.Kind, q.File, q.Title = SectionQuery, name, strings.TrimLeft(strings.TrimSpace(title), ". ")
	default:
		q.Kind, q.Title = SectionQuery, strings.TrimLeft(target, ". ")
	}
	if q.Kind == SectionQuery && q.Title == "" {
		return fmt.Errorf("query %q names no section: write its title after the dot", q.Text)
	}
	return nil
}

// Queries returns the queries of a text, one for each line that is not blank. An operator alone on a line applies to
// the list items below it, as the preamble of an index says.
func Queries(text string) (queries []string) {
	operator := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if name, found := strings.CutPrefix(strings.ToLower(line), "/"); found && index.IsOperator(name) {
			operator = line + " "
			continue
		}
		item := withoutMarker(line)
		if item == line {
			operator = ""
		} else if own, _ := cutOperator(item); own == "" {
			item = operator + item
		}
		queries = append(queries, item)
	}
	return queries
}

// withoutMarker removes the marker of a list item.
func withoutMarker(text string) string {
	text = strings.TrimSpace(text)
	for _, mark := range []string{"- ", "* "} {
		if rest, found := strings.CutPrefix(text, mark); found {
			return strings.TrimSpace(rest)
		}
	}
	return text
}

// withoutComment removes the comment of a line, or the title of a pointer, which follow at least two
// spaces.
func withoutComment(text string) string {
	text, _, _ = strings.Cut(text, "  #")
	text = strings.TrimRight(text, " ") // padding of a column
	if before, _, found := strings.Cut(text, "  ("); found && strings.HasSuffix(text, ")") {
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

// cutOperator splits an operator with its slash off the front. Without a slash, it may be the first word of the
// trigger, which find decides.
func cutOperator(text string) (operator, rest string) {
	word, rest := text, ""
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		word, rest = text[:i], text[i:]
	}
	name, slashed := strings.CutPrefix(strings.ToLower(word), "/")
	if slashed && index.IsOperator(name) {
		return name, strings.TrimSpace(rest)
	}
	if index.IsOperator(strings.ToLower(text)) { // nothing but an operator
		return strings.ToLower(text), ""
	}
	return "", text
}
