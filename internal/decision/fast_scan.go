package decision

import (
	"bytes"
	"strings"
)

// A scanner reads the blocks of plain Markdown line by line: paragraphs, ATX headings, code fences,
// comments, rules, and the outer items of lists and quotes. Most decision files have nothing else,
// and it takes a third of goldmark's time. It gives up at anything else, and wherever two readings
// are possible. Otherwise it finds what goldmark finds: a fuzz test compares the two.
type scanner struct {
	file  *File
	state state
	fence []byte // the marker that opened the code fence
	item  int    // column of the text of the open list item: lines indented as far belong to it
	after int    // the heading directly above, or -1
}

// state is the block that the next line may continue.
type state int

const (
	between   state = iota // none: after a blank line, a heading, a rule
	paragraph              // a paragraph of the document
	fenced                 // a code fence of the document
	comment                // an HTML comment of the document
	list                   // an item of a list, its last line not blank
	listGap                // an item of a list, after a blank line
	quote                  // a block quote
)

// scan finds the headings and situations after an offset. It returns false if that takes a parser.
func (f *File) scan(base int) bool {
	if bytes.ContainsAny(f.Source[base:], "\r\v\f\x00") {
		return false
	}
	s := scanner{file: f, after: -1}
	opened := 0 // offset of the line on which a comment begins
	for at := base; at < len(f.Source); {
		next := f.nextLine(at)
		line := bytes.TrimSuffix(f.Source[at:next], []byte{'\n'})
		before := s.state
		if !s.line(line, f.lineStart(at), next) {
			return false
		}
		if s.state == comment && before != comment {
			opened = at
		}
		if s.state == comment && bytes.Contains(line, []byte("-->")) {
			f.addSituations(opened, next, s.after)
			s.state, s.after = between, -1
		}
		at = next
	}
	return s.state != comment
}

// line reads a line, from start to next, or returns false if it is not plain.
func (s *scanner) line(line []byte, start, next int) bool {
	text := bytes.TrimLeft(line, " ")
	indent := len(line) - len(text)
	switch s.state {
	case fenced:
		if indent < 4 && s.closes(text) {
			s.state = between
		}
		return true
	case comment:
		return true
	}
	if len(bytes.TrimLeft(text, " \t")) == 0 {
		s.blank()
		return true
	}
	if s.state == list || s.state == listGap {
		if text[0] == '\t' {
			return false
		}
		if indent >= s.item {
			s.state = list
			return holdsText(text)
		}
	}
	if indent >= 4 || text[0] == '\t' { // code, or the continuation of a paragraph
		if s.state != paragraph {
			s.after = -1
		}
		return s.state == between || s.state == paragraph
	}
	if known, plain := s.block(text, indent, start, next); known {
		return plain
	}
	switch {
	case s.state == list || s.state == quote: // it may continue a paragraph inside
		return false
	case s.state == paragraph && isUnderline(text):
		return false
	case s.state != paragraph && text[0] == '[' && !isLink(text): // it may be the definition of a link
		return false
	}
	s.state, s.after = paragraph, -1
	return true
}

func (s *scanner) blank() {
	switch s.state {
	case list:
		s.state = listGap
	case paragraph, quote:
		s.state = between
	}
}

// block reads a line that begins a block other than a paragraph; known is false if it does not.
func (s *scanner) block(text []byte, indent, start, next int) (known, plain bool) {
	switch text[0] {
	case '#':
		return s.heading(text, start, next)
	case '`', '~':
		return s.openFence(text)
	case '<':
		if len(text) > 1 && (text[1] == ' ' || text[1] == '=') {
			return false, true
		}
		if !bytes.HasPrefix(text, []byte("<!--")) || bytes.HasPrefix(text, []byte("<!-->")) || bytes.HasPrefix(text, []byte("<!--->")) {
			return true, false
		}
		if s.state == paragraph {
			s.after = -1
		}
		s.state = comment
		return true, true
	case '>':
		s.state, s.after = quote, -1
		return true, len(bytes.Trim(text[1:], " \t")) == 0 || holdsText(text)
	}
	if isRule(text) {
		if s.state == paragraph && isUnderline(text) {
			return true, false
		}
		s.state, s.after = between, -1
		return true, true
	}
	return s.openItem(text, indent)
}

// heading reads a line that begins with a hash.
func (s *scanner) heading(text []byte, start, next int) (known, plain bool) {
	title := bytes.TrimLeft(text, "#")
	level := len(text) - len(title)
	if level > 6 || len(title) > 0 && title[0] != ' ' && title[0] != '\t' {
		return false, true
	}
	trimmed := strings.TrimSpace(string(title))
	if trimmed == "" || trimmed[len(trimmed)-1] == '#' || title[0] == '\t' {
		return true, false
	}
	s.state, s.after = between, s.file.addHeading(level, trimmed, start, next)
	return true, true
}

// openFence reads a line that begins with a back-quote or a tilde.
func (s *scanner) openFence(text []byte) (known, plain bool) {
	info := bytes.TrimLeft(text, string(text[0]))
	if len(text)-len(info) < 3 {
		return false, true
	}
	if text[0] == '`' && bytes.IndexByte(info, '`') >= 0 {
		return true, false
	}
	s.state, s.after, s.fence = fenced, -1, text[:len(text)-len(info)]
	return true, true
}

// closes reports whether a line closes the code fence.
func (s *scanner) closes(text []byte) bool {
	rest, found := bytes.CutPrefix(text, s.fence)
	return found && len(bytes.Trim(bytes.TrimLeft(rest, string(s.fence[0])), " \t")) == 0
}

// openItem reads a line that begins an item of a list; known is false if it does not.
func (s *scanner) openItem(text []byte, indent int) (known, plain bool) {
	n := markerLength(text)
	if n == 0 {
		return false, true
	}
	content := bytes.TrimLeft(text[n:], " ")
	spaces := len(text) - n - len(content)
	if spaces < 1 || spaces > 4 || len(content) == 0 || content[0] == '\t' {
		return true, false // an empty item, or one that begins with code
	}
	if numbered := '0' <= text[0] && text[0] <= '9'; numbered && (n > 9 || s.state == paragraph && string(text[:n-1]) != "1") {
		return true, false // a number in the text
	}
	s.state, s.after, s.item = list, -1, indent+n+spaces
	return true, holdsText(content)
}

// holdsText reports whether a line of a list or quote has text other than markers before a comment.
// Otherwise situations could be in the comment, or an empty item may go on after a blank line.
func holdsText(text []byte) bool {
	before, _, _ := bytes.Cut(text, []byte("<!--"))
	return len(bytes.Trim(before, " \t>-+*.)0123456789")) > 0
}

// isRule reports whether a line is a thematic break: three or more of one character, with or
// without spaces between them.
func isRule(text []byte) bool {
	if bytes.IndexByte([]byte("-*_"), text[0]) < 0 {
		return false
	}
	marks := bytes.Count(text, text[:1])
	return marks >= 3 && marks+bytes.Count(text, []byte{' '})+bytes.Count(text, []byte{'\t'}) == len(text)
}

// isUnderline reports whether a line would make the paragraph above it a heading.
func isUnderline(text []byte) bool {
	text = bytes.TrimRight(text, " \t")
	return len(bytes.Trim(text, "=")) == 0 || len(bytes.Trim(text, "-")) == 0
}

// isLink reports whether a line that begins with a bracket certainly defines no link.
func isLink(text []byte) bool {
	end := bytes.IndexByte(text, ']')
	return end > 0 && end+1 < len(text) && text[end+1] != ':' && bytes.IndexByte(text[:end], '\\') < 0
}
