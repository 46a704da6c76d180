package index

import (
	"strings"

	"whence/internal/lazyregexp"
	"whence/internal/words"
)

// separator separates two fields of an entry.
const separator = " | "

// dash separates the two fields of the oldest format, "Key — description".
const dash = " — "

// IsOperator reports whether a word, without its slash, is an operator of the
// grammar: "when", or "how" with the same meaning.
func IsOperator(word string) bool { return word == "when" || word == "how" }

// Key identifies an entry by its operator and its normalized trigger. Only one of several entries
// with the same key can be looked up.
type Key struct{ Operator, Trigger string }

// Key returns the key of the entry.
func (e Entry) Key() Key { return Key{e.Operator, NormalizeTrigger(e.Trigger.Text)} }

// Query returns the query for the entry: its operator and its trigger, as its line begins.
func (e Entry) Query() string { return "/" + e.Operator + " " + e.Trigger.Text }

// NormalizeTrigger returns a trigger composed (NFC) and in lower case, with runs of white space folded
// to one space.
func NormalizeTrigger(trigger string) string {
	return words.Composed(strings.ToLower(strings.Join(strings.Fields(trigger), " ")))
}

// FormatEntry returns an entry line, without a line end. Pipes in the fields are escaped, so that
// Parse reads the same fields back.
func FormatEntry(operator, trigger, title, description string) string {
	return "/" + operator + " " + Escape(trigger) + separator + Escape(title) + separator + Escape(description)
}

// Escape writes pipes as `\|`, so that a field can contain them.
func Escape(field string) string { return strings.ReplaceAll(field, "|", `\|`) }

// classifyBody classifies a line of a section that is not a section heading.
func (f *File) classifyBody(l *Line, text string) {
	trimmed := strings.TrimSpace(text)
	word := trimmed
	if i := strings.IndexAny(trimmed, fieldSpaces); i >= 0 {
		word = trimmed[:i]
	}
	switch {
	case trimmed == "":
		l.Kind = Blank
	case isOperatorWord(word):
		l.Entry = f.fields(*l, word)
		l.Entry.Operator = word[1:]
		l.Problem = l.Entry.problem()
		l.Kind = EntryLine
		if l.Problem != None {
			l.Kind = Malformed
		}
	case markup().MatchString(trimmed):
		l.Kind = Foreign
	case IsOperator(strings.ToLower(word)) && strings.Count(trimmed, separator) >= 2:
		l.Kind, l.Problem, l.Entry = Malformed, MissingOperator, f.fields(*l, "")
	case strings.Contains(trimmed, dash):
		l.Kind, l.Problem = Malformed, LegacyDash
		l.Entry = f.legacyFields(*l)
	default:
		l.Kind = Foreign
	}
}

// markup matches a trimmed line of Markdown that is never an entry: bold text, items of lists, comments, deeper
// headings, block quotes, tables, images, fences.
var markup = lazyregexp.New("^(?:[*_#<>|[]|[-+] |!\\[|`{3}|~{3}|[0-9]+[.)][ \t])")

// isOperatorWord reports whether a word has the form of an operator: a slash and ASCII letters.
func isOperatorWord(word string) bool {
	letters, found := strings.CutPrefix(word, "/")
	return found && letters != "" && !strings.ContainsFunc(letters, func(r rune) bool { return r|' ' < 'a' || r|' ' > 'z' })
}

// fields splits the line after its operator word at the first two separators. A
// separator is a pipe without backslash between spaces; at the edges of the text
// the line end counts as a space. Further separators belong to the description.
func (f *File) fields(l Line, word string) Entry {
	start := l.Start + strings.Index(f.Text(l), word) + len(word)
	var spans []Span
	for at := start; at < l.End && len(spans) < 2; at++ {
		if f.Source[at] == '|' && (at == start || isBlank(f.Source[at-1]) || strings.HasSuffix(f.text[start:at], "\u3000")) &&
			(at+1 == l.End || isBlank(f.Source[at+1]) || strings.HasPrefix(f.text[at+1:l.End], "\u3000")) {
			spans = append(spans, Span{start, at})
			start = at + 1
		}
	}
	spans = append(spans, Span{start, l.End})
	e := Entry{Fields: len(spans)}
	for i, target := range []*Field{&e.Trigger, &e.Title, &e.Description}[:len(spans)] {
		*target = f.field(spans[i])
	}
	if e.Fields == 1 && e.Trigger.Text == "" {
		e.Fields = 0
	}
	return e
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }

// fieldSpaces surround fields, among them the wide space of Chinese and Japanese.
const fieldSpaces = " \t\u3000"

// field returns a trimmed span and its text.
func (f *File) field(s Span) Field {
	trimmed := strings.TrimLeft(f.text[s.Start:s.End], fieldSpaces)
	s.Start = s.End - len(trimmed)
	trimmed = strings.TrimRight(trimmed, fieldSpaces)
	s.End = s.Start + len(trimmed)
	return Field{strings.ReplaceAll(trimmed, `\|`, "|"), s}
}

// legacyFields reads "Key — description": the key is a header title.
func (f *File) legacyFields(l Line) Entry {
	at := l.Start + strings.Index(f.Text(l), dash)
	return Entry{
		Title:       f.field(Span{l.Start, at}),
		Description: f.field(Span{at + len(dash), l.End}),
		Fields:      2,
	}
}

// problem returns why an entry that begins with an operator word is malformed.
func (e Entry) problem() Problem {
	switch {
	case !IsOperator(e.Operator):
		return UnknownOperator
	case e.Fields < 3:
		return MissingFields
	case e.Trigger.Text == "":
		return EmptyTrigger
	case e.Title.Text == "":
		return EmptyTitle
	case e.Description.Text == "":
		return EmptyDescription
	}
	return None
}
