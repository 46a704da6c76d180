package learning

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"whence/internal/text"
)

// A bank is a Markdown file of learnings:
//
//	### Anti-Pattern: Line numbers in tasks
//	They drift across edits.
//	- Observation count: 3
//	- Confidence: high
//
// A heading of level 3 begins a learning and holds its name, after "Anti-Pattern: ",
// "Pattern: " or nothing. Its description ends at the first bullet; bullets hold the other
// fields. Any other heading of level 1 to 3 ends the learning. Fenced code belongs to the
// description whatever it holds. Comments are ignored.
//
// FormatBank puts a backslash before a line of a description that would be read as one of
// these, and ParseBank removes it.

// ParseBank reads a bank. Its learnings get the given category; if that is "", the one of
// their name's prefix, or else heuristics. A heading of level 2 that names a category
// ("Anti-Patterns", "Heuristics", "Patterns") sets the category up to the next one. Source
// import, one observation and medium confidence are the defaults, also for unreadable values.
//
// The error is a *FieldError for an unknown category. Another error names the headings
// without a description; all other learnings are returned with it.
func ParseBank(markdown []byte, category Category) ([]Learning, error) {
	if category != "" {
		if _, err := ParseCategory(string(category)); err != nil {
			return nil, err
		}
	}
	p := bankParser{category: category}
	text := strings.ReplaceAll(strings.ToValidUTF8(string(bytes.TrimPrefix(markdown, []byte("\ufeff"))), "\ufffd"), "\r\n", "\n")
	lines := strings.Split(withoutComments(text), "\n")
	fences := fenceLines(lines)
	for i, line := range lines {
		p.line(i+1, line, fences[i])
	}
	p.finish()
	if len(p.bad) > 0 {
		return p.all, errors.New(strings.Join(p.bad, "; "))
	}
	return p.all, nil
}

type bankParser struct {
	category Category
	all      []Learning
	bad      []string // headings without description

	current   *Learning
	at        int // line number of its heading
	body      []string
	inBullets bool
	continued *string // what an indented line continues
}

func (p *bankParser) line(number int, line string, fenced bool) {
	level := 0
	if !fenced {
		level = headingLevel(line)
	}
	if level > 0 {
		p.finish()
	}
	switch {
	case level == 3:
		p.begin(number, strings.TrimSpace(line[3:]))
	case level == 2:
		p.section(strings.TrimSpace(line[2:]))
	case p.current == nil:
	case p.inBullets && p.continued != nil && strings.HasPrefix(line, "  "):
		*p.continued += "\n" + line[2:]
	case !fenced && strings.HasPrefix(line, "- "):
		p.inBullets = true
		p.bullet(line[2:])
	case p.inBullets:
		p.continued = nil
	default:
		if !fenced {
			line = unescape(line, isMark)
		}
		p.body = append(p.body, line)
	}
}

// headingLevel returns 1 to 3 for a heading of that level, otherwise 0.
func headingLevel(line string) int {
	level := len(line) - len(strings.TrimLeft(line, "#"))
	if level > 3 || level == 0 || len(line) > level && line[level] != ' ' {
		return 0
	}
	return level
}

func (p *bankParser) section(title string) {
	for _, d := range displays {
		if title == d.section {
			p.category = d.category
		}
	}
}

func (p *bankParser) begin(number int, name string) {
	category := Heuristics
	for _, d := range displays {
		if rest, found := strings.CutPrefix(name, d.prefix); found && d.prefix != "" {
			name, category = strings.TrimSpace(rest), d.category
			break
		}
	}
	p.current = &Learning{
		Name: unescape(name, isPrefixed), Category: cmp.Or(p.category, category), Source: Import, Confidence: Medium, Observations: 1,
	}
	p.at = number
}

func (p *bankParser) finish() {
	l := p.current
	if l != nil {
		l.Description = text.Clean(uncomment(strings.Join(p.body, "\n")))
		l.ID = ID(l.Description)
		l.Name = spaced(uncomment(l.Name))
		l.Reasoning = text.Clean(uncomment(l.Reasoning))
		for i, r := range l.References {
			l.References[i] = spaced(uncomment(r))
		}
		if l.Name == "" || l.Description == "" {
			p.bad = append(p.bad, fmt.Sprintf("line %d: %q has no description", p.at, l.Name))
		} else {
			p.all = append(p.all, *l)
		}
	}
	p.current, p.body, p.inBullets, p.continued = nil, nil, false, nil
}

// bullet reads "Key: value". Other bullets are ignored.
func (p *bankParser) bullet(text string) {
	l := p.current
	key, raw, _ := strings.Cut(text, ":")
	value := strings.TrimSpace(raw)
	p.continued = nil
	switch strings.TrimSpace(key) {
	case "Observation count":
		if n, err := strconv.Atoi(value); err == nil && n > 0 {
			l.Observations = n
		}
	case "Confidence":
		if c, err := ParseConfidence(strings.ToLower(value)); err == nil {
			l.Confidence = c
		}
	case "Source":
		if s, err := ParseSource(strings.ToLower(value)); err == nil {
			l.Source = s
		}
	case "Reasoning":
		l.Reasoning, p.continued = raw, &l.Reasoning
	case "Keywords":
		for word := range strings.SplitSeq(value, ",") {
			if word = strings.TrimSpace(word); ValidKeyword(word) {
				l.Keywords = append(l.Keywords, word)
			}
		}
	case "Reference":
		if value != "" {
			l.References = append(l.References, value)
		}
	case "First observed":
		l.Created = parseDate(value)
	case "Last observed":
		l.Updated = parseDate(value)
	}
}

// parseDate reads a time, as RFC 3339 or SQLite writes it, or a day. Anything else is the zero time.
func parseDate(text string) time.Time {
	for _, layout := range []string{time.RFC3339, time.DateTime, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// FormatBank prints learnings as a bank, with a section for each category. All fields
// survive ParseBank, times to the second, except the project, which is a path of one
// machine, and how the learning was used here. Texts are cleaned, names and references are
// put on one line. Learnings without name or description are omitted.
func FormatBank(learnings []Learning) []byte {
	var b bytes.Buffer
	b.WriteString("# Knowledge Bank\n")
	for _, d := range displays {
		heading := "\n## " + d.section + "\n"
		for _, l := range learnings {
			if displayOf(l.Category) == d && spaced(l.Name) != "" && text.Clean(l.Description) != "" {
				b.WriteString(heading)
				heading = ""
				formatBankLearning(&b, l, d.prefix)
			}
		}
	}
	return b.Bytes()
}

func formatBankLearning(b *bytes.Buffer, l Learning, prefix string) {
	fmt.Fprintf(b, "\n### %s%s\n", prefix, comment(escape(spaced(l.Name), isPrefixed)))
	lines := strings.Split(text.Clean(l.Description), "\n")
	fences := fenceLines(lines)
	for i, line := range lines {
		if !fences[i] {
			line = escape(line, isMark)
		}
		b.WriteString(comment(line) + "\n")
	}
	bullet := func(key, value string) {
		if value = text.Clean(value); value != "" {
			fmt.Fprintf(b, "- %s: %s\n", key, strings.ReplaceAll(comment(value), "\n", "\n  "))
		}
	}
	bullet("Observation count", strconv.Itoa(max(l.Observations, 1)))
	bullet("Confidence", string(l.Confidence))
	if l.Source != Import {
		bullet("Source", string(l.Source))
	}
	bullet("Reasoning", l.Reasoning)
	bullet("Keywords", strings.Join(l.Keywords, ", "))
	for _, reference := range l.References {
		bullet("Reference", spaced(reference))
	}
	bullet("First observed", formatDate(l.Created))
	bullet("Last observed", formatDate(l.Updated))
}

func formatDate(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// spaced returns a cleaned text on one line.
func spaced(s string) string {
	return strings.Join(strings.FieldsFunc(text.Clean(s), text.IsBlank), " ")
}

// fenceLines returns which lines are in code fences, including those of the fences. A fence
// that is not closed is none, nor is a longer one after it.
func fenceLines(lines []string) []bool {
	fenced := make([]bool, len(lines))
	unclosed := map[byte]int{} // its length, by its character
	for i := 0; i < len(lines); i++ {
		mark := fenceMark(lines[i])
		if mark == "" || unclosed[mark[0]] > 0 && len(mark) >= unclosed[mark[0]] {
			continue
		}
		end := i + 1
		for end < len(lines) && !closes(lines[end], mark) {
			end++
		}
		if end == len(lines) {
			unclosed[mark[0]] = len(mark)
			continue
		}
		for ; i < end; i++ {
			fenced[i] = true
		}
		fenced[end] = true
	}
	return fenced
}

// fenceMark returns the backquotes or tildes that open a fence, or "". Indented lines open
// none: they may continue a bullet.
func fenceMark(line string) string {
	_, run, _ := text.FenceOpen(line)
	return line[:run]
}

func closes(line, mark string) bool {
	line = strings.Trim(line, " \t")
	return len(line) >= len(mark) && strings.Trim(line, mark[:1]) == ""
}

// escape puts a backslash before a text that would be mistaken for something else, also if
// it has such backslashes already.
func escape(text string, mistaken func(string) bool) string {
	if mistaken(strings.TrimLeft(text, `\`)) {
		return `\` + text
	}
	return text
}

// unescape is the inverse of escape.
func unescape(text string, mistaken func(string) bool) string {
	if rest, found := strings.CutPrefix(text, `\`); found && mistaken(strings.TrimLeft(rest, `\`)) {
		return rest
	}
	return text
}

// isMark reports whether a line is a heading, a bullet or a fence.
func isMark(line string) bool {
	return headingLevel(line) > 0 || strings.HasPrefix(line, "- ") || fenceMark(line) != ""
}

// isPrefixed reports whether a name begins with a prefix of a category.
func isPrefixed(name string) bool {
	return strings.HasPrefix(name, "Anti-Pattern:") || strings.HasPrefix(name, "Pattern:")
}

const commentOpen, commentEnd = "<!--", "-->"

// withoutComments drops comments but keeps their line ends, so that lines keep their
// numbers. One that is not closed or follows a backslash is text.
func withoutComments(text string) string {
	var b strings.Builder
	for {
		before, rest, _ := strings.Cut(text, commentOpen)
		comment, after, closed := strings.Cut(text[len(before):], commentEnd)
		if !closed {
			return b.String() + text
		}
		b.WriteString(before)
		if strings.HasSuffix(before, `\`) {
			b.WriteString(commentOpen)
			text = rest
			continue
		}
		b.WriteString(strings.Repeat("\n", strings.Count(comment, "\n")))
		text = after
	}
}

// comment puts a backslash before the opening of a comment.
func comment(text string) string { return strings.ReplaceAll(text, commentOpen, `\`+commentOpen) }

// uncomment is the inverse of comment.
func uncomment(text string) string { return strings.ReplaceAll(text, `\`+commentOpen, commentOpen) }
