package learning

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"whence/internal/decision"
	"whence/internal/inert"
)

// ParseBank reads a knowledge bank, a Markdown file of learnings:
//
//	### Anti-Pattern: Line numbers in tasks
//	They drift across edits.
//	- Observation count: 3
//	- Confidence: high
//
// A heading of level 3 begins a learning and holds its name, after "Anti-Pattern: ", "Pattern: " or
// nothing. Its description ends at the first bullet; bullets hold other fields. The next heading of level
// 1 to 3 ends the learning; underlined headings do not count. Fenced code belongs to the description,
// whatever it contains. Comments that begin a line are ignored.
//
// The learnings get the given category; if that is "", the one that the prefix of their name says, or else
// heuristics. Their source is import. One observation and medium confidence are the defaults, also in place of
// unreadable values.
//
// The error names the line after which nothing can be read, or the headings without a name or a description. In
// the second case, all other learnings are returned with it.
func ParseBank(markdown []byte, category Category) (all []Learning, err error) {
	src := bytes.ReplaceAll(bytes.TrimPrefix(markdown, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	m := decision.NewMarkdown(src)
	if m.TooDeep > 0 {
		return nil, fmt.Errorf("line %d: lists or quotes are nested too deeply", m.TooDeep)
	}
	var headings []decision.Block
	kinds := map[int]decision.BlockKind{} // of the lines of code and comments
	for _, b := range m.Blocks() {
		switch {
		case b.Kind == decision.HeadingBlock && b.Level <= 3 && b.Top && len(b.Lines) > 0:
			if bytes.HasPrefix(bytes.TrimLeft(src[b.Start:], " "), []byte("#")) {
				headings = append(headings, b)
			}
		case b.Kind == decision.CodeBlock:
			for _, line := range b.Lines {
				kinds[m.LineAt(line.Start)] = b.Kind
			}
		case b.Kind == decision.HTMLBlock && bytes.HasPrefix(src[b.Start:], []byte("<!--")):
			if !bytes.Contains(src[b.Start:b.End], []byte("-->")) {
				return nil, fmt.Errorf("line %d: this comment has no end: close it with -->", m.LineAt(b.Start))
			}
			for n := m.LineAt(b.Start); n <= m.LineAt(b.End-1); n++ {
				kinds[n] = b.Kind
			}
		}
	}
	var faults []error
	for i, h := range headings {
		end := len(src)
		if i+1 < len(headings) {
			end = headings[i+1].Start
		}
		if h.Level != 3 {
			continue
		}
		l := named(string(src[h.Lines[0].Start:h.Lines[0].End]), category)
		inBullets := false
		number := m.LineAt(h.End)
		for line := range strings.Lines(string(src[h.End:end])) {
			kind := kinds[number]
			bullet, isBullet := strings.CutPrefix(line, "- ")
			if isBullet && kind == decision.Paragraph { // the kind of all other lines
				inBullets = true
				l.readBullet(bullet)
			} else if !inBullets {
				if kind == decision.HTMLBlock {
					_, behind, _ := strings.Cut(line, "-->")
					line = strings.TrimLeft(behind, " \t\n")
				}
				l.Description += line
			}
			number++
		}
		l.Description = inert.Clean(l.Description)
		l.ID = ID(l.Description)
		if l.Name == "" || l.Description == "" {
			faults = append(faults, fmt.Errorf("line %d: %q has no description", m.LineAt(h.Start), l.Name))
			continue
		}
		all = append(all, l)
	}
	return all, errors.Join(faults...)
}

// named returns a learning with the name in a heading, and with the category of its prefix if none is given.
func named(title string, category Category) Learning {
	inferred := Heuristics
	for _, d := range displays {
		if rest, found := strings.CutPrefix(title, d.prefix); found && d.prefix != "" {
			title, inferred = rest, d.category
			break
		}
	}
	return Learning{
		Name: strings.Join(strings.Fields(inert.Clean(title)), " "), Category: cmp.Or(category, inferred),
		Source: Import, Confidence: Medium, Observations: 1,
	}
}

// readBullet reads "Key: value". Other bullets are ignored.
func (l *Learning) readBullet(line string) {
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
