package record

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"whence/internal/decision"
	"whence/internal/lazyregexp"
	"whence/internal/words"
)

// NewFile returns the text of a decision file that is about to get its first section.
func NewFile(name string) []byte {
	base := strings.TrimSuffix(path.Base(name), path.Ext(name))
	return []byte("# " + words.UpperFirst(strings.NewReplacer("-", " ", "_", " ").Replace(base)) + "\n")
}

// Section returns the title of a new section, and the text of the decision file with it at the end. In a log, where
// each title begins with a day, the title gets the day, and the section goes where the newest decision was: first or
// last.
func Section(f *decision.File, d Decision, day time.Time) (title string, src []byte) {
	level, same := level(f)
	title, at := d.Title, len(f.Source)
	if first, last, sign := days(same); sign != "" {
		title = day.Format(time.DateOnly) + sign + d.Title
		if first > last {
			at = same[0].Start
		}
	}
	return title, insert(f, at, strings.Repeat("#", level)+" "+title+"\n"+paragraph(d.Text))
}

// Instead returns the text of a decision file with one section replaced by another.
func Instead(f *decision.File, old decision.Heading, d Decision) []byte {
	without := f.WithSource(slices.Concat(f.Source[:old.Start], f.Source[old.End:]))
	return insert(without, old.Start, strings.Repeat("#", old.Level)+" "+d.Title+"\n"+paragraph(d.Text))
}

// insert returns the text of a file with Markdown inserted at an offset, between empty lines.
func insert(f *decision.File, at int, markdown string) []byte {
	eol := words.LineEnd(f.Source)
	before, after := strings.TrimRight(string(f.Source[:at]), " \t\r\n"), string(f.Source[at:])
	text := strings.ReplaceAll(markdown, "\n", eol)
	if before != "" {
		text = eol + eol + text
	}
	if after != "" {
		text += eol
	}
	return []byte(before + text + after)
}

// level returns the highest level of headings that hold decisions, 2 if there are none, and the headings of that level.
func level(f *decision.File) (level int, same []decision.Heading) {
	for _, h := range f.Headings {
		if h.Semantic() && !h.Intro && (level == 0 || h.Level < level) {
			level = h.Level
		}
	}
	for _, h := range f.Headings {
		if h.Semantic() && h.Level == level {
			same = append(same, h)
		}
	}
	return cmp.Or(level, 2), same
}

// IsLog reports whether the title of each decision of a file begins with the day on which it was made.
func IsLog(f *decision.File) bool {
	_, same := level(f)
	_, _, sign := days(same)
	return sign != ""
}

// startsWithDay matches the day at the beginning of a title in a log, and what is between it and the words.
var startsWithDay = lazyregexp.New(`^(\d{4}-\d{2}-\d{2})([^\pL\d]+)`)

// days returns the days of the first and the last heading of a log, and the signs after the day. All are "" if a title
// does not begin with a day.
func days(headings []decision.Heading) (first, last, sign string) {
	for i, h := range headings {
		m := startsWithDay().FindStringSubmatch(h.Title)
		if m == nil {
			return "", "", ""
		}
		if i == 0 {
			first = m[1]
		}
		last, sign = m[1], m[2]
	}
	return first, last, sign
}

// CheckTitle returns an error for a title that Markdown would not keep as it is, in one line.
func CheckTitle(title string) error {
	f := decision.Parse("x.md", []byte("## "+title+"\n"))
	if len(f.Headings) != 1 || f.Headings[0].Title != title || !f.Headings[0].Semantic() {
		return fmt.Errorf("%q cannot be the title of a decision: write one line that begins with no dot, and ends with no hash", title)
	}
	return nil
}

// CheckText returns an error for a text with headings of its own, or one that would hide what follows it, as an open
// fence does.
func CheckText(text string) error {
	f := decision.Parse("x.md", []byte("## before\n\n"+text+"\n\n## after\n"))
	switch {
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("the text is empty")
	case len(f.Headings) == 1 || f.Headings[len(f.Headings)-1].Title != "after":
		return fmt.Errorf("the text leaves a code block or a comment open: close it")
	case len(f.Headings) > 2:
		return fmt.Errorf("the text has a heading, %q: write it in bold, or record it as a decision of its own", f.Headings[1].Title)
	case len(f.Situations) > 0:
		return fmt.Errorf("the text has situations: give them with --situation")
	case len(f.Conflicts) > 0:
		return fmt.Errorf("the text has the marks of a conflict: take them out")
	}
	return nil
}
