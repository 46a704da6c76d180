package remember

import (
	"bufio"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/learning"
)

// width is how many columns a line has at most, where words allow it.
const width = 80

// indent is before what belongs to a learning: its id of eight characters stands there.
const indent = "          "

// printer writes learnings for people.
type printer struct {
	out   *bufio.Writer
	color bool
	now   time.Time
}

func (o *learningOptions) printer(env cli.Env, now time.Time) (*printer, error) {
	color, err := cli.Color(env, o.color, env.Stdout)
	return &printer{bufio.NewWriter(env.Stdout), color, now}, err
}

func (p *printer) flush() error { return p.out.Flush() }

func (p *printer) line(text string) { p.out.WriteString(text + "\n") }

// Styles of a terminal.
const (
	bold  = "\x1b[1m"
	faint = "\x1b[2m"
	plain = "\x1b[0m"
)

func (p *printer) styled(style, text string) string {
	if !p.color || text == "" {
		return text
	}
	return style + text + plain
}

// learning prints a learning: id and name, what it is, and its text unless in brief.
func (p *printer) learning(l learning.Learning, brief bool) {
	p.line(p.styled(faint, l.ID[:min(8, len(l.ID))]) + "  " + p.styled(bold, finding.Printable(l.Name)))
	if brief {
		return
	}
	p.detail(p.summary(l))
	if l.Retired != "" {
		p.detail("no longer applies: " + l.Retired)
	}
	p.text(l.Description)
}

// summary is category, confidence and age.
func (p *printer) summary(l learning.Learning) string {
	parts := []string{string(l.Category), string(learning.Decay(l, p.now)) + " confidence"}
	if l.Observations > 1 {
		parts = append(parts, "seen "+humanize.Comma(int64(l.Observations))+" times")
	}
	return strings.Join(append(parts, p.ago(l.Created)), ", ")
}

// ago is how long ago something was.
func (p *printer) ago(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return humanize.RelTime(t, p.now, "ago", "from now")
}

// detail prints a line about a learning.
func (p *printer) detail(text string) { p.wrapped(faint, text) }

// text prints a text of a learning.
func (p *printer) text(text string) { p.wrapped("", text) }

func (p *printer) wrapped(style, text string) {
	for line := range strings.Lines(text) {
		for _, part := range wrap(finding.Printable(strings.TrimRight(line, "\r\n")), width-len(indent)) {
			if part = strings.TrimRight(part, " "); part != "" && style != "" {
				part = p.styled(style, part)
			}
			p.line(strings.TrimRight(indent+part, " "))
		}
	}
}

// wrap breaks a line between words, at so many characters at most; a longer word stands
// alone.
func wrap(line string, most int) []string {
	var lines []string
	var current strings.Builder
	length := 0
	for _, word := range strings.Fields(line) {
		n := utf8.RuneCountInString(word)
		if length > 0 && length+1+n > most {
			lines = append(lines, current.String())
			current.Reset()
			length = 0
		}
		if length > 0 {
			current.WriteByte(' ')
			length++
		}
		current.WriteString(word)
		length += n
	}
	return append(lines, current.String())
}

// printableLines is that for a text of several lines.
func printableLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = finding.Printable(lines[i])
	}
	return strings.Join(lines, "\n")
}
