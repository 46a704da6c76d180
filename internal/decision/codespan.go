package decision

import "bytes"

// CodeSpan is a piece of back-quoted text outside of code blocks.
type CodeSpan struct {
	Text  string
	Start int // offset of Text in the source
	Line  int // 1-based
}

// CodeSpans lists what is back-quoted, in order. Spans that cross a line end are left
// out: they cannot be a name. So is the content of comments.
func (m *Markdown) CodeSpans() []CodeSpan {
	var spans []CodeSpan
	for _, t := range m.Texts() {
		spans = append(spans, m.CodeSpansIn(t)...)
	}
	return spans
}

// CodeSpansIn is CodeSpans for one text. It takes time that grows with the length of
// the text alone.
func (m *Markdown) CodeSpansIn(t Text) []CodeSpan {
	if t.Kind == Code {
		return nil
	}
	var spans []CodeSpan
	lines := t.Lines
	s := spanScanner{lines: lines, runs: m.quoteRuns(lines)}
	for s.line < len(lines) {
		end := lines[s.line].End
		if s.at >= end || s.at < lines[s.line].Start {
			if s.at >= end {
				s.line++
			}
			if s.line < len(lines) {
				s.at = max(s.at, lines[s.line].Start)
			}
			continue
		}
		switch rest := m.Source[s.at:end]; {
		case rest[0] == '\\':
			s.at += 2
		case rest[0] == '`':
			n := len(rest) - len(bytes.TrimLeft(rest, "`"))
			opened := s.at + n
			closing, line, found := s.close(opened, n)
			if !found {
				s.at = opened
				continue
			}
			if line == s.line {
				start, end := trimSpan(m.Source, opened, closing)
				spans = append(spans, CodeSpan{string(m.Source[start:end]), start, m.LineAt(start)})
			}
			s.at, s.line = closing+n, line
		case rest[0] == '<' && bytes.HasPrefix(rest, []byte("<!--")):
			s.skipComment(m.Source)
		default:
			next := bytes.IndexAny(rest[1:], "\\`<")
			if next < 0 {
				next = len(rest) - 1
			}
			s.at += 1 + next
		}
	}
	return spans
}

// spanScanner is the position in the lines of a block at which the search for code spans is.
type spanScanner struct {
	lines       []Piece
	at, line    int
	runs        map[int][]quoteRun // by length
	commentless bool               // no comment ends behind here
}

// quoteRun is where a run of back-quotes begins.
type quoteRun struct{ start, line int }

// quoteRuns lists the runs of back-quotes by their length.
func (m *Markdown) quoteRuns(lines []Piece) map[int][]quoteRun {
	runs := map[int][]quoteRun{}
	for i, l := range lines {
		for at := l.Start; at < l.End; {
			next := bytes.IndexByte(m.Source[at:l.End], '`')
			if next < 0 {
				break
			}
			at += next
			n := l.End - at - len(bytes.TrimLeft(m.Source[at:l.End], "`"))
			runs[n] = append(runs[n], quoteRun{at, i})
			at += n
		}
	}
	return runs
}

// close finds the run of n back-quotes that closes a span opened in front of an offset.
func (s *spanScanner) close(opened, n int) (at, line int, found bool) {
	for len(s.runs[n]) > 0 && s.runs[n][0].start < opened {
		s.runs[n] = s.runs[n][1:]
	}
	if len(s.runs[n]) == 0 {
		return 0, 0, false
	}
	return s.runs[n][0].start, s.runs[n][0].line, true
}

// skipComment goes behind the comment that begins here, or behind its opening mark if
// it does not end in the block.
func (s *spanScanner) skipComment(src []byte) {
	s.at += len("<!--")
	for line := s.line; line < len(s.lines) && !s.commentless; line++ {
		from := max(s.at, s.lines[line].Start)
		if end := bytes.Index(src[min(from, s.lines[line].End):s.lines[line].End], []byte("-->")); end >= 0 {
			s.at, s.line = from+end+len("-->"), line
			return
		}
	}
	s.commentless = true
}

// trimSpan takes a blank away at both ends of a span, if it has one at both and is not
// blank.
func trimSpan(src []byte, start, end int) (int, int) {
	text := src[start:end]
	if len(text) > 1 && text[0] == ' ' && text[len(text)-1] == ' ' && len(bytes.Trim(text, " ")) > 0 {
		return start + 1, end - 1
	}
	return start, end
}
