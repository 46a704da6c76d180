package text

import (
	"bytes"
	"io"
	"slices"
	"strings"
)

// Inert returns a text that begins and ends nothing where an agent reads it: without invisible
// characters, and with a backslash before what would open or close a tag, a code fence or a heading.
// Lines and words are not changed. What begins as one of ours does is markup of whence, and stays.
func Inert(text string, ours ...string) string {
	isOurs := func(markup string) bool {
		return slices.ContainsFunc(ours, func(begin string) bool { return strings.HasPrefix(markup, begin) })
	}
	lines := strings.Split(visible(text), "\n")
	for i, line := range lines {
		markup := strings.TrimLeft(line, " \t")
		if opensFenceOrHeading(markup) && !isOurs(markup) {
			line = line[:len(line)-len(markup)] + `\` + markup
		}
		lines[i] = inertTags(line, isOurs)
	}
	return strings.Join(lines, "\n")
}

func opensFenceOrHeading(line string) bool {
	if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
		return true
	}
	title := strings.TrimLeft(line, "#")
	level := len(line) - len(title)
	return 1 <= level && level <= 6 && (title == "" || title[0] == ' ' || title[0] == '\t')
}

// InertParagraphs returns an inert text that Markdown shows as plain paragraphs: no line is indented or
// empty, and a backslash is also before what would open a rule, a bullet, a quotation or a table.
func InertParagraphs(text string) string {
	var lines []string
	for line := range strings.SplitSeq(Inert(text), "\n") {
		line = strings.TrimFunc(line, IsBlank)
		if line == "" {
			continue
		}
		if opensBlock(line) {
			line = `\` + line
		} else if at := listNumber(line); at > 0 {
			line = line[:at] + `\` + line[at:]
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// InertLine returns a text on one inert line.
func InertLine(text string) string {
	var lines []string
	for line := range strings.SplitSeq(visible(text), "\n") {
		if line = strings.TrimFunc(line, IsBlank); line != "" {
			lines = append(lines, line)
		}
	}
	return InertParagraphs(strings.Join(lines, " "))
}

// opensBlock reports whether a trimmed line may begin or end something in CommonMark other
// than a paragraph or a numbered item.
func opensBlock(line string) bool {
	switch line[0] {
	case '#', '>', '|':
		return true
	case '=':
		return strings.Trim(line, "=") == ""
	case '`', '~':
		return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
	case '-', '+', '*', '_':
		return len(line) == 1 || line[1] == ' ' || line[1] == '\t' || strings.Trim(line, line[:1]+" \t") == ""
	case '[':
		return strings.Contains(line, "]:")
	}
	return false
}

// listNumber returns the place of the dot or parenthesis of a numbered item, in which anything
// may begin; 0 for any other line.
func listNumber(line string) int {
	at := len(line) - len(strings.TrimLeft(line, "0123456789"))
	if at == 0 || at > 9 || at == len(line) || line[at] != '.' && line[at] != ')' {
		return 0
	}
	rest := strings.TrimLeft(line[at+1:], " \t")
	if len(rest) == len(line)-at-1 || rest == "" || !opensBlock(rest) && listNumber(rest) == 0 {
		return 0 // a number in a sentence, or an item with ordinary text
	}
	return at
}

// inertTags puts a backslash before what begins a tag or a comment.
func inertTags(line string, isOurs func(string) bool) string {
	if !strings.Contains(line, "<") {
		return line
	}
	var b strings.Builder
	escaped := false // by an odd number of backslashes
	for i := range len(line) {
		if line[i] == '<' && !escaped && i+1 < len(line) && beginsTag(line[i+1]) && !isOurs(line[i:]) {
			b.WriteByte('\\')
		}
		escaped = line[i] == '\\' && !escaped
		b.WriteByte(line[i])
	}
	return b.String()
}

func beginsTag(b byte) bool {
	return b == '/' || b == '!' || b == '?' || 'a' <= b|' ' && b|' ' <= 'z'
}

// visible cleans a text, and drops its invisible characters.
func visible(text string) string {
	return replaceUnseen(cleaned(text), func(_ int, r rune) string {
		if r == '\n' || r == '\t' {
			return string(r)
		}
		return ""
	})
}

// AgentWriter writes what a program prints for an agent, each line inert.
type AgentWriter struct {
	to     io.Writer
	ours   []string // as in Inert
	source string   // to be written before the next line
	said   string   // the last source
	line   []byte   // not written yet
}

// NewAgentWriter returns an AgentWriter that writes to another writer. Markup that begins as one of
// ours stays.
func NewAgentWriter(to io.Writer, ours ...string) *AgentWriter {
	return &AgentWriter{to: to, ours: ours}
}

// SayWhose precedes what follows by a line that says whose text it is, once, if an agent reads it.
func SayWhose(w io.Writer, source string) {
	if a, ok := w.(*AgentWriter); ok && a.said != source {
		a.source, a.said = source, source
	}
}

// Exact returns the writer for output that programs read, such as a patch.
func Exact(w io.Writer) io.Writer {
	if a, ok := w.(*AgentWriter); ok {
		return a.to
	}
	return w
}

func (w *AgentWriter) Write(p []byte) (int, error) {
	w.line = append(w.line, p...)
	return len(p), w.write(bytes.LastIndexByte(w.line, '\n') + 1)
}

// Flush writes a line that has no end.
func (w *AgentWriter) Flush() error { return w.write(len(w.line)) }

func (w *AgentWriter) write(size int) error {
	if size == 0 {
		return nil
	}
	_, err := io.WriteString(w.to, w.source+Inert(string(w.line[:size]), w.ours...))
	w.source, w.line = "", w.line[size:]
	return err
}
