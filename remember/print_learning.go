package remember

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"whence/internal/cli"
	"whence/internal/inert"
	"whence/internal/learning"
	"whence/internal/shell"
	"whence/internal/words"
)

// maxColumns is the maximum width of a line, unless a word is longer.
const maxColumns = 80

// indent is the width of the short id before a name.
const indent = "          "

// printer writes learnings for people.
type printer struct {
	out   *bufio.Writer
	to    io.Writer
	color bool
	now   time.Time
	typed shell.Typed
}

func (o *learningOptions) printer(env cli.Env, now time.Time) *printer {
	return &printer{bufio.NewWriter(env.Stdout), env.Stdout, cli.Color(env, env.Stdout), now, cli.Typed(env, o.dir)}
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
	if !p.color || style == "" || text == "" {
		return text
	}
	return style + text + plain
}

// maxListedChars bounds the text of a learning in a list.
const maxListedChars = 400

// learning prints a learning of a list; brief prints only its name.
func (p *printer) learning(l learning.Learning, brief bool) {
	if brief {
		p.title(l)
		return
	}
	p.heading(l)
	if l.Description == l.Name {
		return
	}
	all := []rune(l.Description)
	if len(all) > maxListedChars {
		p.text(string(all[:maxListedChars]) + "…")
		p.line(indent + p.styled(faint, fmt.Sprintf("(\"%s\" prints all of it)", inert.Printable(p.typed.Command("memory-remember show "+shortID(l))))))
		return
	}
	p.text(l.Description)
}

// shortID returns the beginning of an id, which is enough to name a learning.
func shortID(l learning.Learning) string { return l.ID[:min(8, len(l.ID))] }

func (p *printer) title(l learning.Learning) {
	p.line(p.styled(faint, shortID(l)) + "  " + p.styled(bold, inert.Printable(l.Name)))
}

func (p *printer) heading(l learning.Learning) {
	p.title(l)
	p.detail(p.summary(l))
}

func (p *printer) summary(l learning.Learning) string {
	parts := []string{string(l.Category), string(learning.Decay(l, p.now)) + " confidence"}
	if l.Observations > 1 {
		parts = append(parts, "learned "+times(l.Observations))
	}
	return strings.Join(append(parts, ago(l.Created, p.now)), ", ")
}

// ago returns how long ago a time was.
func ago(t, now time.Time) string {
	if t.IsZero() {
		return "never"
	}
	if now.Sub(t).Abs() < time.Minute {
		return "just now"
	}
	return humanize.RelTime(t, now, "ago", "from now")
}

// fact prints a labelled text, unless it is empty.
func (p *printer) fact(name, text string) {
	label := name + indent[min(len(name), len(indent)):]
	for i, line := range folded(inert.Shown(p.to, text)) {
		if i > 0 {
			p.line(indent + line)
			continue
		}
		p.line(p.styled(faint, label) + line)
	}
}

func (p *printer) detail(text string) { p.indented(faint, text) }

// text prints a text of a learning.
func (p *printer) text(text string) { p.indented("", text) }

func (p *printer) indented(style, text string) {
	for _, line := range folded(inert.Shown(p.to, text)) {
		p.line(strings.TrimRight(indent+p.styled(style, line), " "))
	}
}

// folded splits a text into lines that fit beside the indent. Lines with leading spaces are code, and stay
// as they are.
func folded(prose string) (lines []string) {
	for line := range strings.Lines(prose) {
		line = inert.Printable(strings.ReplaceAll(strings.TrimRight(line, "\r\n\t "), "\t", "    "))
		if strings.HasPrefix(line, " ") {
			lines = append(lines, line)
		} else {
			lines = append(lines, words.Wrap(line, maxColumns-len(indent))...)
		}
	}
	return lines
}
