package learning

import (
	"bytes"
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
// A heading of level 3 begins a learning and holds its name, behind "Anti-Pattern: ",
// "Pattern: " or nothing. Its description goes to the first line that begins with a
// bullet; bullets say the rest. Any other heading of level 1 to 3 ends it. Fenced code
// belongs to the description whatever it holds. Comments are no part of anything.
//
// Where a description has a line that would be read as one of these, FormatBank puts a
// backslash before it, and ParseBank takes it away.

// BankError tells which headings of a bank have no description.
type BankError struct {
	Lines []int // from 1
	Names []string
}

func (e *BankError) Error() string {
	parts := make([]string, len(e.Lines))
	for i, line := range e.Lines {
		parts[i] = fmt.Sprintf("line %d: %q has no description", line, e.Names[i])
	}
	return strings.Join(parts, "; ")
}

// ParseBank reads a bank. Its learnings are of the category; if that is "", of the one
// that the prefix of their name tells, without prefix heuristics. A heading of level 2
// that is the name of a category ("Anti-Patterns", "Heuristics", "Patterns") changes the
// category up to the next. They are of source import, seen once, and of medium
// confidence unless they say otherwise; a value that cannot be read counts as not said.
//
// The error is a *FieldError for a category that is none; or a *BankError, and then
// all others have been read.
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
	if len(p.bad.Lines) > 0 {
		return p.all, &p.bad
	}
	return p.all, nil
}

type bankParser struct {
	category Category
	all      []Learning
	bad      BankError

	current   *Learning
	at        int // line of its heading
	body      []string
	inBullets bool
	continued *string // what an indented line continues
}

func (p *bankParser) line(number int, line string, fenced bool) {
	level := 0
	if !fenced {
		level = headingLevel(line)
	}
	switch {
	case level == 3:
		p.finish()
		p.begin(number, strings.TrimSpace(line[3:]))
	case level > 0:
		p.finish()
		if level == 2 {
			p.section(strings.TrimSpace(line[2:]))
		}
	case p.current == nil:
	case p.inBullets && p.continued != nil && strings.HasPrefix(line, "  "):
		*p.continued += "\n" + line[2:]
	case !fenced && strings.HasPrefix(line, "- "):
		p.inBullets = true
		p.bullet(line[2:])
	case p.inBullets:
		p.continued = nil
	case !fenced:
		p.body = append(p.body, unescape(line, isMark))
	default:
		p.body = append(p.body, line)
	}
}

// headingLevel is 1 to 3 for a heading that ends what stands before it, or else 0.
func headingLevel(line string) int {
	level := len(line) - len(strings.TrimLeft(line, "#"))
	if level > 3 || level == 0 || len(line) > level && line[level] != ' ' {
		return 0
	}
	return level
}

func (p *bankParser) section(title string) {
	for _, c := range Categories() {
		if title == sectionOf(c) {
			p.category = c
		}
	}
}

// sectionOf is the heading of a category.
func sectionOf(c Category) string {
	switch c {
	case AntiPatterns:
		return "Anti-Patterns"
	case Patterns:
		return "Patterns"
	default:
		return "Heuristics"
	}
}

func (p *bankParser) begin(number int, name string) {
	category := Heuristics
	for _, s := range shown {
		if rest, found := strings.CutPrefix(name, s.prefix); found && s.prefix != "" {
			name, category = strings.TrimSpace(rest), s.category
			break
		}
	}
	if p.category != "" {
		category = p.category
	}
	p.current = &Learning{Name: unescape(name, isPrefixed), Category: category, Source: Import, Confidence: Medium, Observations: 1}
	p.at = number
}

func (p *bankParser) finish() {
	l := p.current
	if l != nil {
		l.Description = Clean(uncomment(strings.Join(p.body, "\n")))
		l.ID = ID(l.Description)
		l.Name = spaced(uncomment(l.Name))
		for _, field := range []*string{&l.Reasoning, &l.Retired} {
			*field = Clean(uncomment(*field))
		}
		for i, r := range l.References {
			l.References[i] = spaced(uncomment(r))
		}
		if l.Name == "" || l.Description == "" {
			p.bad.Lines, p.bad.Names = append(p.bad.Lines, p.at), append(p.bad.Names, l.Name)
		} else {
			p.all = append(p.all, *l)
		}
	}
	p.current, p.body, p.inBullets, p.continued = nil, nil, false, nil
}

// bullet reads "Key: value". Other bullets are left alone.
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
	case "Retired":
		l.Retired, p.continued = raw, &l.Retired
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

// parseDate reads a time or a day, or gives the zero time.
func parseDate(text string) time.Time {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// FormatBank prints learnings as a bank that ParseBank reads again, with a section for
// each category. It carries name, description, category, reasoning, confidence, source,
// keywords, references, observations, retirement, and when a learning was created and
// last observed, to the second; not its project, which is a path of one machine, nor
// what has been made of it here. Texts are cleaned, names and references are put on
// one line. Learnings without name or description are left out.
func FormatBank(learnings []Learning) []byte {
	var b bytes.Buffer
	b.WriteString("# Knowledge Bank\n")
	for _, s := range shown {
		first := true
		for _, l := range learnings {
			if shownAs(l.Category) != s.category || spaced(l.Name) == "" || Clean(l.Description) == "" {
				continue
			}
			if first {
				fmt.Fprintf(&b, "\n## %s\n", sectionOf(s.category))
				first = false
			}
			formatBankEntry(&b, l, s.prefix)
		}
	}
	return b.Bytes()
}

func formatBankEntry(b *bytes.Buffer, l Learning, prefix string) {
	fmt.Fprintf(b, "\n### %s%s\n", prefix, comment(escape(spaced(l.Name), isPrefixed)))
	lines := strings.Split(Clean(l.Description), "\n")
	fences := fenceLines(lines)
	for i, line := range lines {
		if !fences[i] {
			line = escape(line, isMark)
		}
		b.WriteString(comment(line) + "\n")
	}
	bullet := func(key, value string) {
		if value = Clean(value); value != "" {
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
	bullet("Retired", l.Retired)
}

func formatDate(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// spaced is a cleaned text on one line.
func spaced(text string) string {
	return strings.Join(strings.FieldsFunc(Clean(text), isBlank), " ")
}

// fenceLines tells which lines stand in code fences, those of the fences included. A
// fence without end is none.
func fenceLines(lines []string) []bool {
	fenced := make([]bool, len(lines))
	for i := 0; i < len(lines); i++ {
		mark := fenceMark(lines[i])
		if mark == "" {
			continue
		}
		for j := i + 1; j < len(lines); j++ {
			if closes(lines[j], mark) {
				for k := i; k <= j; k++ {
					fenced[k] = true
				}
				i = j
				break
			}
		}
	}
	return fenced
}

// fenceMark is the run of back-quotes or tildes that opens a fence, or "". Indented
// lines open none: they may continue a bullet.
func fenceMark(line string) string {
	_, run, _ := text.FenceOpen(line)
	return line[:run]
}

func closes(line, mark string) bool {
	line = strings.Trim(line, " \t")
	return len(line) >= len(mark) && strings.Trim(line, mark[:1]) == ""
}

// escape puts a backslash before a text that would be read as something else, and before
// one that has such backslashes already.
func escape(text string, mistaken func(string) bool) string {
	if mistaken(strings.TrimLeft(text, `\`)) {
		return `\` + text
	}
	return text
}

// unescape takes back what escape has done.
func unescape(text string, mistaken func(string) bool) string {
	if rest, found := strings.CutPrefix(text, `\`); found && mistaken(strings.TrimLeft(rest, `\`)) {
		return rest
	}
	return text
}

// isMark tells whether a line is a heading, a bullet or a fence.
func isMark(line string) bool {
	return headingLevel(line) > 0 || strings.HasPrefix(line, "- ") || fenceMark(line) != ""
}

// isPrefixed tells whether a name begins with what a bank puts before names.
func isPrefixed(name string) bool {
	return strings.HasPrefix(name, "Anti-Pattern:") || strings.HasPrefix(name, "Pattern:")
}

const commentOpen, commentEnd = "<!--", "-->"

// withoutComments drops comments, but keeps their line ends so that lines keep their
// numbers. One without end is text, and so is one behind a backslash.
func withoutComments(text string) string {
	var b strings.Builder
	for {
		open := strings.Index(text, commentOpen)
		if open < 0 {
			break
		}
		end := strings.Index(text[open:], commentEnd)
		if end < 0 {
			break
		}
		if open > 0 && text[open-1] == '\\' {
			b.WriteString(text[:open+len(commentOpen)])
			text = text[open+len(commentOpen):]
			continue
		}
		b.WriteString(text[:open])
		b.WriteString(strings.Repeat("\n", strings.Count(text[open:open+end], "\n")))
		text = text[open+end+len(commentEnd):]
	}
	return b.String() + text
}

// comment puts a backslash before what would open a comment.
func comment(text string) string { return strings.ReplaceAll(text, commentOpen, `\`+commentOpen) }

// uncomment is the inverse of comment.
func uncomment(text string) string { return strings.ReplaceAll(text, `\`+commentOpen, commentOpen) }
