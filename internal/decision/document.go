package decision

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"whence/internal/lazyregexp"
	"whence/internal/words"
)

// ParseDocument reads a decision that is a whole file, such as an architecture decision record. The
// file has one heading, which holds all of it and is semantic. Its title is the first H1, else the
// title of the front matter, else the name of the file in words. It accepts any input.
func ParseDocument(name string, src []byte) *File {
	f := parseAll(name, src)
	f.asDocument()
	f.ReadStatuses(nil)
	return f
}

// asDocument replaces all headings by one for the whole file.
func (f *File) asDocument() {
	name, src := f.Path, f.Source
	f.Document = true
	whole := Heading{Level: 1, Title: NameInWords(name), Alias: NameInWords(name), End: len(src), Parent: -1}
	whole.Start = contentStart(src)
	whole.Body = whole.Start
	h1 := slices.IndexFunc(f.Headings, func(h Heading) bool { return h.Level == 1 })
	if h1 >= 0 {
		h := f.Headings[h1]
		whole.Title, whole.Start, whole.Body = h.Title, h.Start, h.Body
	} else if title := FrontMatter(src)["title"]; title != "" {
		whole.Title = title
	}
	whole.Line, whole.Key, whole.Disputed = f.LineAt(whole.Start), Key(whole.Title), f.Conflicts != nil
	f.Headings = []Heading{whole}
	for i := range f.Situations {
		f.Situations[i].Heading = -1
		if s := f.Situations[i]; s.Start >= whole.Body && len(strings.TrimSpace(string(src[whole.Body:s.Start]))) == 0 {
			f.Situations[i].Heading = 0
		}
	}
}

// Record returns the text of a document without front matter, situations and its H1: what is above
// the H1, then what is below.
func (f *File) Record() string {
	h := f.Headings[0]
	above := f.WithoutSituations(min(contentStart(f.Source), h.Start), h.Start)
	below := f.WithoutSituations(h.Body, h.End)
	if strings.TrimSpace(above) == "" {
		return below
	}
	return above + "\n\n" + below
}

// Chapters returns all headings of a document, its title among them.
func (f *File) Chapters() []Heading { return f.chapters }

// IsDecision reports whether a chapter of a document says what was decided.
func (h Heading) IsDecision() bool { return decidingTitle().MatchString(h.Key) }

// IsStatus reports whether a chapter of a document has its status.
func (h Heading) IsStatus() bool {
	label, rest, isLabel := cutLabel(h.Title)
	return knownStatuses()[label] == statusLabel && label != "state" && (isLabel || rest == "")
}

// Decided returns the chapters of a document that say what was decided, then those that say why, or
// all of it if it has no such chapters. Lines about the record itself, such as status, date and
// names, and situations are left out.
func (f *File) Decided() string {
	var decided, why strings.Builder
	end := 0 // of the chapter that was taken last
	for _, h := range f.chapters {
		if h.Start < end { // it is a part of that chapter
			continue
		}
		words := strings.Fields(strings.Trim(h.Key, ".:"))
		switch {
		case h.Level == 1 || len(words) == 0:
		case decidingTitle().MatchString(h.Key):
			decided.WriteString(f.WithoutSituations(h.Body, h.End) + "\n\n")
			end = h.End
		case words[0] == "summary" || words[0] == "problem" || slices.Contains(contextTitles, words[0]):
			why.WriteString(f.WithoutSituations(h.Body, h.End) + "\n\n")
			end = h.End
		}
	}
	text := decided.String() + why.String()
	if strings.TrimSpace(text) == "" {
		text = f.Record()
	}
	return string(bytes.TrimSpace(recordFacts().ReplaceAll([]byte(text), nil)))
}

// Titles of chapters of records, in lower case: in English, German, French, Spanish, Portuguese, Italian, Dutch,
// Norwegian, Russian, Turkish, Chinese and Japanese.
var (
	decisionTitles = []string{
		"decision", "entscheidung", "ergebnis der entscheidung", "décision", "résultat de la décision", "decisión", "resultado de la decisión",
		"decisão", "resultado da decisão", "decisione", "beslissing", "besluit", "beslutning", "решение", "karar", "决定", "决策", "決定",
	}
	contextTitles = []string{"context", "kontext", "contexte", "contexto", "contesto", "kontekst", "контекст", "bağlam", "背景", "コンテキスト"}
	otherTitles   = []string{
		"status", "consequences", "context and problem statement", "decision outcome", "decision drivers", "considered options", "pros and cons of the options",
		"konsequenzen", "conséquences", "statut", "consecuencias", "estado", "consequências", "conseguenze", "stato", "gevolgen", "konsekvenser",
		"后果", "状态", "結果", "ステータス",
	}
)

// IsRecordTitle reports whether a title, in lower case, is one of those that the usual forms of records have.
func IsRecordTitle(title string) bool {
	return slices.Contains(decisionTitles, title) || slices.Contains(contextTitles, title) || slices.Contains(otherTitles, title)
}

var (
	// decidingTitle matches the title of a chapter that says what was decided: "Decision", "Decision
	// Outcome", "Our decision", "Outcome", "Solution", "Entscheidung".
	decidingTitle = lazyregexp.New(`^\W*((our|the|final) )?(outcome|solution|resolution|` + strings.Join(decisionTitles, "|") + `)( outcome| made|s)?\W*$`)

	// recordFacts matches the lines about a record itself.
	recordFacts = lazyregexp.New(`(?im)^[ \t>]*([*-][ \t]+)?\**(status|date|deciders?|decision[- ](makers?|status)|consulted|informed|authors?|owners?|tags?|last updated|technical story|supersede[sd]( by)?|partly superseded.*|` +
		`statut|stato|estado|статус|дата|datum|fecha|autori|autor(es|en)?|auteurs?|日期|日付|状态|状態|ステータス|作者)\**:?\**([ \t]*[:：].*| by .*|[ \t]*)$|^[ \t>]*(state:[ \t]*\w+|data:[ \t]*\d.*)$`)
)

// Section returns the path of the index section with the entries of a file: its own, or for
// a document that of its folder, with a slash at the end.
func (f *File) Section() string {
	if !f.Document {
		return f.Path
	}
	return DocumentSection(f.Path)
}

// DocumentSection returns the path of the index section with the entry of a document: its
// folder, with a slash at the end.
func DocumentSection(name string) string { return path.Dir(RecordPath(name)) + "/" }

// RecordPath returns the path by which a document is named: its own, or for the README of a folder of its own, the path
// of that folder with the extension of the README.
func RecordPath(name string) string {
	ext := path.Ext(name)
	if folder := path.Dir(name); path.Dir(folder) != "." && strings.EqualFold(strings.TrimSuffix(path.Base(name), ext), "readme") {
		return folder + ext
	}
	return name
}

// NameInWords returns the name of a file in words, without number and date.
func NameInWords(name string) string {
	name = RecordPath(name)
	base := strings.TrimSuffix(strings.TrimSuffix(path.Base(name), path.Ext(name)), ".instructions") // Copilot wants that suffix
	parts := strings.FieldsFunc(namePrefix().ReplaceAllString(base, ""), func(r rune) bool { return r == '-' || r == '_' || r == ' ' })
	if len(parts) == 0 {
		return base
	}
	return words.UpperFirst(strings.Join(parts, " "))
}

// namePrefix matches the number and date with which the names of records begin.
var namePrefix = lazyregexp.New(`(?i)^(adr[-_ ]?)?(\d{4}[-_.]?\d{2}[-_.]?\d{2}|\d+)([-_. ]+|$)`)
