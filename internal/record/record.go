// Package record writes decisions as a project writes them: as the next record of a folder, or as a section of a
// decision file. It reads texts and returns texts.
package record

import (
	"path"
	"slices"
	"strings"
	"time"

	"whence/internal/decision"
	"whence/internal/lazyregexp"
	"whence/internal/words"
)

// Decision has the title and the text of a new decision.
type Decision struct {
	Title      string // one line
	Text       string // Markdown without headings
	Supersedes string // the path of the record that it replaces, or ""
}

// Write returns the text of a record in the form of those of its folder. The model is the record with the highest
// number, or the last by name, among those with a chapter that says what was decided, or else among all. It gives front
// matter, title, the lines about the record itself, and the chapters that another record has, too. The text is in the
// chapter that says what was decided, or else below the title. Other chapters stay empty for the writer to fill. The
// first record of a folder is a title and the text.
func Write(name string, records []*decision.File, d Decision, day time.Time) []byte {
	if len(records) == 0 {
		return []byte("# " + d.Title + "\n" + paragraph(d.Text) + paragraph(supersedes(d)))
	}
	formal := slices.DeleteFunc(slices.Clone(records), func(f *decision.File) bool { return !slices.ContainsFunc(f.Chapters(), decision.Heading.IsDecision) })
	if len(formal) == 0 {
		formal = records
	}
	last := slices.MaxFunc(formal, func(a, b *decision.File) int {
		return compareNames(decision.ParseName(path.Base(a.Path)), decision.ParseName(path.Base(b.Path)))
	})
	w := writer{decision: d, name: decision.ParseName(path.Base(name)), day: day.Format(time.DateOnly), accepted: acceptedWord(records)}
	w.like(last, records)
	text := strings.TrimRight(w.out.String(), "\n") + "\n"
	return []byte(strings.ReplaceAll(text, "\n", words.LineEnd(last.Source)))
}

// writer writes a record like another one.
type writer struct {
	decision Decision
	name     decision.Name
	day      string // today, as 2026-01-31
	accepted string // the folder's word for a decision that holds
	out      strings.Builder
}

func (w *writer) like(last *decision.File, records []*decision.File) {
	src, whole := string(last.Source), last.Headings[0]
	isTitled := decision.FrontMatter(last.Source)["title"] != ""
	w.frontMatter(src[:whole.Start])
	if whole.Body > whole.Start || !isTitled {
		if w.out.Len() > 0 {
			w.out.WriteString("\n")
		}
		w.out.WriteString("# " + w.numbered(whole.Title, decision.ParseName(path.Base(last.Path)).Number) + "\n")
	}
	chapters := slices.DeleteFunc(slices.Clone(last.Chapters()), func(h decision.Heading) bool { return h.Start < whole.Body })
	above := len(src)
	if len(chapters) > 0 {
		above = chapters[0].Start
	}
	w.facts(last.WithoutSituations(whole.Body, above))

	kept := keptChapters(chapters, last, records)
	inChapter := slices.ContainsFunc(kept, decision.Heading.IsDecision)
	inStatus := slices.ContainsFunc(kept, decision.Heading.IsStatus)
	if !inStatus {
		w.out.WriteString(paragraph(supersedes(w.decision)))
	}
	if !inChapter {
		w.out.WriteString(paragraph(w.decision.Text))
	}
	for _, h := range kept {
		w.out.WriteString("\n" + strings.TrimRight(strings.ReplaceAll(src[h.Start:h.Body], "\r\n", "\n"), "\n") + "\n")
		switch {
		case h.IsStatus():
			w.out.WriteString(paragraph(w.accepted) + paragraph(supersedes(w.decision)))
		case h.IsDecision() && inChapter:
			w.out.WriteString(paragraph(w.decision.Text))
			inChapter = false // the first one has it
		case isDay(strings.TrimSpace(src[h.Body:h.End])):
			w.out.WriteString(paragraph(w.day))
		}
	}
}

// keptChapters returns the chapters of the first level below the title that another record has, too, or that are usual
// in records.
func keptChapters(chapters []decision.Heading, last *decision.File, records []*decision.File) (kept []decision.Heading) {
	for _, h := range chapters {
		if h.Level > chapters[0].Level {
			continue
		}
		isShared := slices.ContainsFunc(records, func(f *decision.File) bool {
			return f != last && slices.ContainsFunc(f.Chapters(), func(other decision.Heading) bool { return other.Key == h.Key })
		})
		if isShared || h.IsStatus() || h.IsDecision() || decision.IsRecordTitle(h.Key) {
			kept = append(kept, h)
		}
	}
	return kept
}

// numbered returns the title of the new record. Its number comes first if the title of the last record begins with the
// number of that record.
func (w *writer) numbered(last, number string) string {
	m := titleNumber().FindStringSubmatch(last)
	if m == nil || number == "" || w.name.Number == "" || w.name.IsDay || strings.TrimLeft(m[2], "0") != strings.TrimLeft(number, "0") {
		return w.decision.Title
	}
	return m[1] + padded(w.name.Number, len(m[2])) + m[3] + w.decision.Title
}

// titleNumber matches "12. ", "ADR-0012: " and "ADR 12 – " at the beginning of a title.
var titleNumber = lazyregexp.New(`^(\pL*[-_ #]*)(\d+)([^\pL\d]*\s)`)

var (
	frontMatterLine = lazyregexp.New(`^(\pL[\pL\d_-]*)[ \t]*:[ \t]*(.*)$`)
	factLine        = lazyregexp.New(`^([ \t]*(?:[*+-][ \t]+)?[*_]*[^:*_|]+[*_]*[:：][*_]*[ \t]*)(\S.*)$`)
)

// frontMatter writes the YAML front matter that is known of the new record: title, status and day.
func (w *writer) frontMatter(above string) {
	lines := strings.Split(strings.ReplaceAll(strings.TrimPrefix(above, "\uFEFF"), "\r\n", "\n"), "\n")
	if lines[0] != "---" {
		return
	}
	var known []string
	for _, line := range lines[1:] {
		m := frontMatterLine().FindStringSubmatch(line)
		switch {
		case m == nil:
		case decision.Heading{Title: m[1] + ":"}.IsStatus():
			known = append(known, m[1]+": "+w.accepted)
		case strings.EqualFold(m[1], "title"):
			known = append(known, m[1]+": '"+strings.ReplaceAll(w.decision.Title, "'", "''")+"'")
		case isDay(strings.Trim(m[2], `'"`)):
			known = append(known, m[1]+": "+w.day)
		}
	}
	if len(known) > 0 {
		w.out.WriteString("---\n" + strings.Join(known, "\n") + "\n---\n")
	}
}

// facts writes the lines about the record itself that are known of the new one: status and day.
func (w *writer) facts(above string) {
	var known []string
	for line := range strings.Lines(above) {
		line = strings.TrimRight(line, " \t\r\n")
		m := factLine().FindStringSubmatch(line)
		switch {
		case m == nil:
		case decision.Heading{Title: line}.IsStatus():
			known = append(known, m[1]+w.accepted)
		case isDay(m[2]):
			known = append(known, m[1]+w.day)
		}
	}
	w.out.WriteString(paragraph(strings.Join(known, "\n")))
}

// acceptedWord returns the word with which most records of a folder say that they hold. If several are as frequent, the
// last one counts.
func acceptedWord(records []*decision.File) string {
	count, best := map[string]int{}, "Accepted"
	for _, f := range records {
		s := f.Status()
		if word, _, _ := strings.Cut(s.Text, " "); s.Kind == decision.Accepted && word != "" {
			word = strings.TrimRight(word, ",.;:")
			if count[word]++; count[word] >= count[best] {
				best = word
			}
		}
	}
	return best
}

// Unfilled returns the titles of the chapters of a record that have no text.
func Unfilled(f *decision.File) (titles []string) {
	if !f.Document {
		return nil
	}
	for _, h := range f.Chapters() {
		if h.Level > 1 && strings.TrimSpace(string(f.Source[h.Body:h.End])) == "" {
			titles = append(titles, decision.Plain(h.Title))
		}
	}
	return titles
}

func supersedes(d Decision) string {
	if d.Supersedes == "" {
		return ""
	}
	return "Supersedes " + decision.Link(d.Supersedes)
}

// paragraph returns a text between an empty line and a line end, or "" for an empty text.
func paragraph(text string) string {
	if text = strings.Trim(text, "\r\n"); text == "" {
		return ""
	}
	return "\n" + text + "\n"
}

func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}
