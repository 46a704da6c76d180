package decision

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"whence/internal/text"
)

// Status is the status of a decision, as its document states it.
type Status struct {
	Kind StatusKind
	Text string // as written, in one line without the targets of links: "Superseded by 5. Use Bun"

	// Successors name the records that replace this one, and Supersedes those that it replaces: by
	// the path of a link, as seen from the folder of the document; by the name of a file; or by a number.
	Successors, Supersedes []string
}

// StatusKind is the kind of a status.
type StatusKind int

const (
	NoStatus   StatusKind = iota // none is stated, or none that is known: the decision holds
	Accepted                     // also approved, decided, implemented …
	Proposed                     // also draft, pending, in review, on hold
	Rejected                     // also declined, withdrawn
	Superseded                   // also replaced, deprecated, obsolete
)

// Holds reports whether a decision may be pointed to as one to follow. A proposed one may: it is what a
// team works by until it is rejected, and its status is shown.
func (s Status) Holds() bool { return s.Kind < Rejected }

// Status returns the status of a document: from its front matter, else its chapter Status,
// else a line such as "* Status: accepted" above the first chapter. Its first word counts, and what a
// later clause says is the successor: "Accepted, superseded by ADR-5".
func (f *File) Status() Status {
	stated := f.frontMatterStatus()
	if stated == "" {
		stated = f.chapterStatus()
	}
	if stated == "" {
		stated = f.lineStatus()
	}
	stated += f.supersededLines()
	stated = crossedOut().ReplaceAllString(stated[:min(len(stated), maxStatusBytes)], "")
	var s Status
	s.Kind, _ = statusOf(stated)
	from, to := 0, len(stated) // where the successors are named
	for _, at := range clauseStart().FindAllStringIndex(stated, -1) {
		clause := stated[at[1]:]
		names := superseding(clause)
		s.Supersedes = append(s.Supersedes, names...)
		if names != nil && to == len(stated) {
			to = at[0]
		}
		if names == nil && s.Holds() && isSuperseded(clause) {
			s.Kind, from, to = Superseded, at[1], len(stated)
		}
	}
	said, later, _ := strings.Cut(strings.ToValidUTF8(stated, ""), "\n\n")
	if from > len(said) {
		said += "; " + later
	}
	s.Text = plain(said)
	if !s.Holds() {
		s.Successors, _ = references(stated[from:to])
	}
	front := frontMatter(f.Source)
	for _, key := range []string{"supersedes", "replaces"} {
		names, _ := references("by " + front[key])
		s.Supersedes = append(s.Supersedes, names...)
	}
	lines := slices.Concat(f.textBetween(0, len(f.Source))...)
	for i, line := range lines {
		if word, _ := firstWord(line); strings.HasSuffix(word, "ing") {
			continue // "replacing [1](0001-a.md) would take a year"
		}
		s.Supersedes = append(s.Supersedes, superseding(strings.Join(lines[i:min(i+2, len(lines))], "\n"))...)
	}
	slices.Sort(s.Supersedes)
	s.Supersedes = slices.Compact(s.Supersedes)
	return s
}

// maxStatusBytes bounds what is read of a status.
const maxStatusBytes = 2000

func (f *File) frontMatterStatus() string {
	front := frontMatter(f.Source)
	stated := front["status"]
	for _, key := range slices.Sorted(maps.Keys(front)) {
		by := front[key]
		if key = strings.NewReplacer("-", "", "_", "", " ", "").Replace(key); key == "supersededby" || key == "replacedby" {
			names, _ := references("by " + by)
			for _, name := range names {
				stated += "; superseded by [" + name + "](<" + name + ">)"
			}
		}
	}
	return stated
}

// chapterStatus returns the text of the chapter Status, with an empty line between its paragraphs and
// list items.
func (f *File) chapterStatus() string {
	for i, h := range f.chapters {
		inTitle, isStatus := cutStatusLabel(h.Title)
		if !isStatus || h.Level == 1 && i == 0 {
			continue
		}
		blocks := []string{inTitle}
		for _, b := range f.textBetween(h.Body, f.chapterEnd(i)) {
			blocks = append(blocks, strings.Join(b, "\n"))
		}
		return strings.TrimSpace(strings.Join(blocks, "\n\n"))
	}
	return ""
}

// lineStatus returns what follows the label Status in a line above the first chapter, or is in the line
// below it.
func (f *File) lineStatus() string {
	lines := slices.Concat(f.blocksAbove()...)
	for i, line := range lines {
		stated, isStatus := cutStatusLabel(line)
		if isStatus && stated == "" && i+1 < len(lines) {
			stated = lines[i+1]
		}
		if strings.Trim(stated, "|:*_ ") != "" {
			return stated
		}
	}
	return ""
}

// supersededLines returns the lines above the first chapter that begin with "Superseded by" and name a record,
// each after an empty line.
func (f *File) supersededLines() (lines string) {
	for _, block := range f.blocksAbove() {
		for i, line := range block {
			_, rest := firstWord(line)
			word, rest := firstWord(rest)
			isLabel := strings.IndexAny(strings.TrimLeft(rest, "*_ "), ":|") == 0
			if leadWords[word] && (i == 0 || isLabel) && isSuperseded(line) { // it wraps no other line
				lines += "\n\n" + line
			}
		}
	}
	return lines
}

// blocksAbove is textBetween above the first chapter.
func (f *File) blocksAbove() [][]string {
	end := len(f.Source)
	if i := slices.IndexFunc(f.chapters, func(h Heading) bool { return h.Level > 1 }); i >= 0 {
		end = f.chapters[i].Start
	}
	return f.textBetween(0, end)
}

// chapterEnd returns where the chapter ends, above the next one of any level.
func (f *File) chapterEnd(i int) int {
	if i+1 < len(f.chapters) {
		return f.chapters[i+1].Start
	}
	return len(f.Source)
}

// textBetween returns the lines of each paragraph and list item between two offsets, except open check
// boxes.
func (f *File) textBetween(start, end int) (blocks [][]string) {
	for _, b := range f.blocks {
		if b.Kind != Paragraph || len(b.Lines) == 0 || b.Lines[0].Start < start || b.Lines[0].Start >= end {
			continue
		}
		var lines []string
		for _, l := range b.Lines {
			lines = append(lines, strings.TrimSpace(string(f.Source[l.Start:l.End])))
		}
		lines[0] = strings.TrimPrefix(lines[0], "[x] ")
		if !strings.HasPrefix(lines[0], "[ ]") {
			blocks = append(blocks, lines)
		}
	}
	return blocks
}

// cutStatusLabel cuts the label off "1. **Status:** accepted" or "| Status | accepted |". Without a
// colon, the label must be the whole text.
func cutStatusLabel(s string) (value string, found bool) {
	word, rest := firstWord(s)
	if word == "decision" {
		word, rest = firstWord(rest)
	}
	if !statusLabels[word] {
		return "", false
	}
	value = strings.TrimLeft(rest, "*_` ")
	if value == "" {
		return "", true
	}
	for _, separator := range []string{":", "：", "|"} {
		if after, isLabel := strings.CutPrefix(value, separator); isLabel {
			return strings.Trim(after, "|*_ "), true
		}
	}
	return "", false
}

// firstWord returns the first word of a text in lower case, and what follows it.
func firstWord(s string) (word, rest string) {
	start := strings.IndexFunc(s, unicode.IsLetter)
	if start < 0 {
		return "", ""
	}
	s = s[start:]
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' })
	if end < 0 {
		end = len(s)
	}
	return strings.ToLower(text.Composed(s[:end])), s[end:]
}

// statusOf returns the status that a text begins with, and what follows it. In a script without spaces
// the beginning of a word is enough.
func statusOf(s string) (kind StatusKind, rest string) {
	word, rest := firstWord(s)
	if strings.HasPrefix(strings.TrimLeft(rest, "*_"), ":") && statusLabels[word] {
		word, rest = firstWord(rest)
	}
	second, afterSecond := firstWord(rest)
	if kind := statusWords()[word+"-"+second]; kind != NoStatus {
		return kind, afterSecond
	}
	if first, _ := utf8.DecodeRuneInString(word); unicode.In(first, unicode.Han, unicode.Hiragana, unicode.Katakana) {
		for begin := word; begin != ""; {
			if kind := statusWords()[begin]; kind != NoStatus {
				return kind, word[len(begin):] + rest
			}
			_, size := utf8.DecodeLastRuneInString(begin)
			begin = begin[:len(begin)-size]
		}
	}
	return statusWords()[word], rest
}

// isSuperseded reports whether a text begins with a word such as "superseded", and names a record directly after it.
func isSuperseded(s string) bool {
	kind, rest := statusOf(s)
	_, direct := references(rest)
	return kind == Superseded && direct > 0
}

// superseding returns the records that a text says it supersedes in its first words.
func superseding(s string) []string {
	word, rest := firstWord(s)
	if word == "this" {
		_, rest = firstWord(rest)
		word, rest = firstWord(rest)
	}
	if !supersedingWords[word] {
		return nil
	}
	rest = rest[:min(len(rest), maxStatusBytes)]
	if next, _ := firstWord(rest); count().MatchString(rest) && !leadWords[next] { // "replaces 3 queues"
		return nil
	}
	names, direct := references("by " + rest)
	return names[:direct]
}

// MaySupersede reports whether a document has a word with which it may say that it supersedes another.
func MaySupersede(src []byte) bool {
	lower := bytes.ToLower(src)
	for word := range supersedingWords {
		if bytes.Contains(lower, []byte(word)) {
			return true
		}
	}
	return false
}

var (
	crossedOut  = text.Lazy(`~~[^~]*~~`)
	count       = text.Lazy(`^\s\d+\s\pL`)
	clauseStart = text.Lazy(`[,;(→—–，；（。]|\.\s|\sand\s|\n\n`)
)
