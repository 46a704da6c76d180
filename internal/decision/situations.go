package decision

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Situations is one `<!-- situations: … -->` comment.
type Situations struct {
	Heading int // index of the heading directly above it, or -1
	Line    int // 1-based, of the "<!--"
	Start   int // offset of the "<!--"
	End     int // offset after the "-->"
	Closed  bool
	Phrases []Phrase
	// Canonical is false if a fix of white space would change the comment: blank lines, indentation, runs of white space.
	Canonical bool
}

// Phrase is one line of a situations comment, trimmed and with single spaces.
type Phrase struct {
	Text  string
	Line  int // 1-based
	Start int // offset of its line
	End   int // offset of the next line
}

const situationsWord = "situations:"

// addSituations appends the comment with which an HTML block from start to limit begins, if it lists situations.
func (f *File) addSituations(start, limit, heading int) {
	start += len(f.Source[start:]) - len(bytes.TrimLeft(f.Source[start:], " \t"))
	rest, ok := bytes.CutPrefix(f.Source[start:], []byte("<!--"))
	if !ok {
		return
	}
	word := bytes.TrimLeft(rest, " \t\r\n")
	if len(word) < len(situationsWord) || !strings.EqualFold(string(word[:len(situationsWord)]), situationsWord) {
		return
	}
	if heading >= 0 && !f.Headings[heading].Semantic() {
		heading = -1
	}
	s := Situations{Heading: heading, Line: f.LineAt(start), Start: start, End: limit}
	body := len(f.Source) - len(word) + len(situationsWord)
	bodyEnd := limit
	if i := bytes.Index(f.Source[start:limit], []byte("-->")); i >= 0 {
		s.Closed, bodyEnd, s.End = true, max(start+i, body), start+i+len("-->")
	}
	s.readPhrases(f, body, bodyEnd)
	f.Situations = append(f.Situations, s)
}

// readPhrases reads the lines between two offsets. The first one is the rest of the opening line; it may hold a phrase.
func (s *Situations) readPhrases(f *File, at, end int) {
	s.Canonical = true
	number, first := f.LineAt(at), true
	body := string(f.Source[at:end])
	s.Phrases = make([]Phrase, 0, strings.Count(body, "\n"))
	for whole := range strings.Lines(body) {
		line, next := strings.TrimRight(whole, "\r\n"), at+len(whole)
		words := singleSpaced(line)
		switch {
		case words != "":
			s.Phrases = append(s.Phrases, Phrase{words, number, at, next})
			s.Canonical = s.Canonical && !first && line == words && f.Source[next-1] == '\n'
		case !first:
			s.Canonical = false
		}
		at, first = next, false
		number++
	}
}

// singleSpaced trims a line and folds its runs of white space.
func singleSpaced(line string) string {
	before := byte(' ')
	for i := range len(line) {
		b := line[i]
		if b < '!' && (b != ' ' || before == ' ') || b >= utf8.RuneSelf {
			return strings.Join(strings.Fields(line), " ")
		}
		before = b
	}
	return strings.TrimSuffix(line, " ")
}

// Phrases returns the situations of a heading.
func (f *File) Phrases(heading int) []string {
	var phrases []string
	for _, s := range f.Situations {
		if s.Heading != heading {
			continue
		}
		for _, p := range s.Phrases {
			phrases = append(phrases, p.Text)
		}
	}
	return phrases
}

// WithoutSituations returns the text between two offsets without its situations comments and the blank
// lines after them.
func (f *File) WithoutSituations(start, end int) string {
	var out strings.Builder
	at := start
	for _, s := range f.Situations {
		if s.Start < start || s.End > end {
			continue
		}
		out.Write(f.Source[at:s.Start])
		at = s.End
		for at < end && (f.Source[at] == '\n' || f.Source[at] == '\r') {
			at++
		}
	}
	out.Write(f.Source[at:end])
	return strings.Trim(strings.TrimPrefix(out.String(), "\uFEFF"), "\r\n")
}
