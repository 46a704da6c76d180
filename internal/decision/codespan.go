package decision

import "strings"

// CodeSpan is back-quoted text outside of code blocks.
type CodeSpan struct {
	Text  string
	Start int // offset of Text in the source
	Line  int // 1-based
}

// CodeSpans returns what is back-quoted, in order. It leaves out spans that cross a line end,
// which cannot be a name, and those in comments.
func (m *Markdown) CodeSpans() []CodeSpan {
	var spans []CodeSpan
	for _, t := range m.Texts() {
		spans = append(spans, m.CodeSpansIn(t)...)
	}
	return spans
}

// CodeSpansIn is CodeSpans for one text. It takes linear time.
func (m *Markdown) CodeSpansIn(t Text) (spans []CodeSpan) {
	if t.Code {
		return nil
	}
	var joined strings.Builder
	starts := make([]int, len(t.Lines)) // of the lines in the joined text
	for i, l := range t.Lines {
		starts[i] = joined.Len()
		joined.Write(m.Source[l.Start:l.End])
		joined.WriteByte('\n')
	}
	text := joined.String()
	runs := quoteRuns(text)
	line, hasComments := 0, true
	for at := 0; at < len(text); {
		switch {
		case text[at] == '\\':
			at += 2
		case text[at] == '`':
			n := quoteRun(text[at:])
			at += n
			for len(runs[n]) > 0 && runs[n][0] < at {
				runs[n] = runs[n][1:]
			}
			if len(runs[n]) == 0 { // nothing closes it
				continue
			}
			start, end := trimSpan(text, at, runs[n][0])
			at = runs[n][0] + n
			if strings.Contains(text[start:end], "\n") {
				continue
			}
			for line+1 < len(starts) && starts[line+1] <= start {
				line++
			}
			offset := t.Lines[line].Start + start - starts[line]
			spans = append(spans, CodeSpan{text[start:end], offset, m.LineAt(offset)})
		case hasComments && strings.HasPrefix(text[at:], "<!--"):
			at += len("<!--")
			end := strings.Index(text[at:], "-->")
			if hasComments = end >= 0; hasComments {
				at += end + len("-->")
			}
		default:
			next := strings.IndexAny(text[at+1:], "\\`<")
			if next < 0 {
				return spans
			}
			at += 1 + next
		}
	}
	return spans
}

// quoteRun returns the number of back-quotes that a text begins with.
func quoteRun(text string) int { return len(text) - len(strings.TrimLeft(text, "`")) }

// quoteRuns maps the lengths of runs of back-quotes to their offsets.
func quoteRuns(text string) map[int][]int {
	runs := map[int][]int{}
	for at := 0; ; {
		next := strings.IndexByte(text[at:], '`')
		if next < 0 {
			return runs
		}
		at += next
		n := quoteRun(text[at:])
		runs[n] = append(runs[n], at)
		at += n
	}
}

// trimSpan removes a space at both ends of a span, if it has one at both and is not blank.
func trimSpan(text string, start, end int) (int, int) {
	span := text[start:end]
	if len(span) > 1 && span[0] == ' ' && span[len(span)-1] == ' ' && strings.Trim(span, " ") != "" {
		return start + 1, end - 1
	}
	return start, end
}
