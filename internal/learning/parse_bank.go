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

// ParseBank reads a knowledge bank, a Markdown file of learnings:
//
//	### Anti-Pattern: Line numbers in tasks
//	They drift across edits.
//	- Observation count: 3
//	- Confidence: high
//
// A heading of level 3 begins a learning and holds its name, after "Anti-Pattern: ", "Pattern: " or
// nothing. Its description ends at the first bullet; bullets hold other fields. Any other heading of level
// 1 to 3 ends the learning. Fenced code belongs to the description whatever it holds. Comments are ignored.
//
// The learnings get the given category; if that is "", the one of their name's prefix, or else heuristics.
// Source import, one observation and medium confidence are the defaults, also for unreadable values.
//
// The error is a *FieldError for an unknown category. Another error names the headings without a
// description; all other learnings are returned with it.
func ParseBank(markdown []byte, category Category) ([]Learning, error) {
	if category != "" {
		if _, err := ParseCategory(string(category)); err != nil {
			return nil, err
		}
	}
	src := strings.ReplaceAll(string(bytes.TrimPrefix(markdown, []byte("\ufeff"))), "\r\n", "\n")
	p := bankParser{category: category}
	if last := strings.LastIndex(src, "-->"); last >= 0 {
		p.lastComment = 1 + strings.Count(src[:last], "\n")
	}
	for i, line := range strings.Split(src, "\n") {
		p.line(i+1, line)
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

	fence       string // the marks that opened the code in which the next line is; "" outside of code
	inComment   bool
	lastComment int // number of the line in which the last comment ends

	current   *Learning
	at        int // line number of its heading
	body      []string
	inBullets bool
}

func (p *bankParser) line(number int, line string) {
	if p.fence != "" {
		if closes(line, p.fence) {
			p.fence = ""
		}
		p.text(line)
		return
	}
	line = p.withoutComments(number, line)
	if level := headingLevel(line); level > 0 {
		p.finish()
		if level == 3 {
			p.begin(number, strings.TrimSpace(line[level:]))
		}
		return
	}
	if _, run, _ := text.FenceOpen(line); run > 0 {
		p.fence = line[:run]
	}
	if rest, found := strings.CutPrefix(line, "- "); found && p.current != nil {
		p.inBullets = true
		p.bullet(rest)
		return
	}
	p.text(line)
}

// text adds a line to the description of the current learning, if there is one.
func (p *bankParser) text(line string) {
	if p.current != nil && !p.inBullets {
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

// closes reports whether a line ends the fenced code that some marks have opened.
func closes(line, marks string) bool {
	line = strings.Trim(line, " \t")
	return len(line) >= len(marks) && strings.Trim(line, marks[:1]) == ""
}

func (p *bankParser) begin(number int, name string) {
	category := Heuristics
	for _, d := range displays {
		if rest, found := strings.CutPrefix(name, d.prefix); found && d.prefix != "" {
			name, category = strings.TrimSpace(rest), d.category
			break
		}
	}
	p.current = &Learning{Name: strings.Join(strings.Fields(text.Clean(name)), " "), Category: cmp.Or(p.category, category), Source: Import, Confidence: Medium, Observations: 1}
	p.at = number
}

func (p *bankParser) finish() {
	l := p.current
	if l == nil {
		return
	}
	l.Description = text.Clean(strings.Join(p.body, "\n"))
	l.ID = ID(l.Description)
	if l.Name == "" || l.Description == "" {
		p.bad = append(p.bad, fmt.Sprintf("line %d: %q has no description", p.at, l.Name))
	} else {
		p.all = append(p.all, *l)
	}
	p.current, p.body, p.inBullets = nil, nil, false
}

// bullet reads "Key: value". Other bullets are ignored.
func (p *bankParser) bullet(line string) {
	l := p.current
	key, value, _ := strings.Cut(line, ":")
	value = strings.TrimSpace(value)
	switch strings.TrimSpace(key) {
	case "Observation count":
		if n, err := strconv.Atoi(value); err == nil && n > 0 {
			l.Observations = n
		}
	case "Confidence":
		if c, err := ParseConfidence(strings.ToLower(value)); err == nil {
			l.Confidence = c
		}
	case "First observed":
		l.Created, _ = time.Parse(time.DateOnly, value)
	case "Last observed":
		l.Updated, _ = time.Parse(time.DateOnly, value)
	}
}

// withoutComments drops comments from a line, of which the last may go on in the next. One that is not
// closed is text.
func (p *bankParser) withoutComments(number int, line string) string {
	var b strings.Builder
	for {
		if p.inComment {
			_, after, ends := strings.Cut(line, "-->")
			if !ends {
				return b.String()
			}
			line, p.inComment = after, false
		}
		before, comment, begins := strings.Cut(line, "<!--")
		closed := number < p.lastComment || strings.Contains(comment, "-->")
		if !begins || !closed {
			return b.String() + line
		}
		b.WriteString(before)
		line, p.inComment = comment, true
	}
}
