package decision

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"whence/internal/lazyregexp"
	"whence/internal/words"
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

const (
	maxStatusBytes = 2000 // of a status that are read
	maxSaidBytes   = 4000 // of the text that may say what a document supersedes
)

// Status returns the status of a document: from its front matter, else its chapter Status,
// else a line such as "* Status: accepted" above the first chapter. Its first word counts, and what a
// later clause says is the successor: "Accepted, superseded by ADR-5".
func (f *File) Status() Status {
	front, above, chapter := FrontMatter(f.Source), f.blocksAbove(), f.chapterStatus()
	stated := cmp.Or(front["status"], chapter, lineStatus(above))
	for _, key := range slices.Sorted(maps.Keys(front)) { // "superseded-by", "supersededBy", "supersedes"
		if front[key] != "" {
			above = append(above, []string{strings.Replace(key, "by", " by", 1) + ": " + front[key]})
		}
	}
	stated += supersededLines(above)
	stated = strings.TrimSpace(crossedOut().ReplaceAllString(words.Beginning(stated, maxStatusBytes), ""))
	if value, labelled := cutStatusLabel(stated); labelled {
		stated = value
	}
	said, _, _ := strings.Cut(strings.ToValidUTF8(stated, ""), "\n\n")
	stated = recordLast(stated)

	s := Status{Supersedes: supersedes(words.Beginning(chapter+"\n\n"+joined(above), maxSaidBytes))}
	s.Kind, _ = statusOf(stated)
	from := 0 // where the successors are named
	for _, at := range clauseStart().FindAllStringIndex(stated, -1) {
		if s.Holds() && isSuperseded(stated[at[1]:]) {
			s.Kind, from = Superseded, at[1]
		}
	}
	s.Text = Plain(said)
	if !s.Holds() {
		s.Successors, _ = references(stated[from:])
	}
	return s
}

// chapterStatus returns the text of the chapter Status, with an empty line between its paragraphs and
// list items.
func (f *File) chapterStatus() string {
	h, end, found := f.statusChapter()
	if !found {
		return ""
	}
	inTitle, _ := cutStatusLabel(h.Title)
	return strings.TrimSpace(inTitle + "\n\n" + joined(f.textBetween(h.Body, end)))
}

// statusChapter returns the chapter Status, and where its text ends.
func (f *File) statusChapter() (h Heading, end int, found bool) {
	for i, h := range f.chapters {
		if !h.IsStatus() || h.Level == 1 && i == 0 {
			continue
		}
		end = len(f.Source)
		if i+1 < len(f.chapters) {
			end = f.chapters[i+1].Start
		}
		return h, end, true
	}
	return Heading{}, 0, false
}

// lineStatus returns what follows the label Status in a line, or is in the line below it.
func lineStatus(blocks [][]string) string {
	lines := slices.Concat(blocks...)
	for i, line := range lines {
		stated, isStatus := cutStatusLabel(line)
		if isStatus && stated == "" && i+1 < len(lines) {
			stated = strings.Trim(lines[i+1], "|:*_ ")
		}
		if stated != "" {
			return stated
		}
	}
	return ""
}

// recordLast returns a status with "superseded by" before the record, which some languages name first.
func recordLast(stated string) string {
	lower := strings.ToLower(stated)
	if !slices.ContainsFunc(lastVerbs, func(verb string) bool { return strings.Contains(lower, verb) }) {
		return stated // as nearly always, and recordFirst is slow
	}
	return recordFirst().ReplaceAllString(stated, "superseded by $1$2$3 $4")
}

// supersededLines returns the lines that say "superseded by" and name a record, each after an empty line.
func supersededLines(blocks [][]string) (lines string) {
	for _, block := range blocks {
		for i, line := range block {
			isWrapped := i > 0 && !twoWordLabel().MatchString(line)
			if !isWrapped && isSuperseded(line) {
				lines += "\n\n" + line
			}
		}
	}
	return lines
}

// supersedes returns the records that a text says its document supersedes: directly after a word such as
// "supersedes" with which a clause begins.
func supersedes(said string) (names []string) {
	lower := strings.ToLower(said)
	isIn := func(word string) bool { return strings.Contains(lower, word) }
	if !slices.ContainsFunc(supersedingWords, isIn) && !strings.ContainsAny(said, "取替") {
		return nil // as nearly always, and superseding is slow
	}
	for _, at := range superseding().FindAllStringIndex(said, -1) {
		rest := said[at[1]:]
		next, _ := firstWord(rest)
		if next == "durch" || leadingCount().MatchString(rest) && !slices.Contains(leadWords, next) { // "replaces 3 queues"
			continue
		}
		after, direct := references("by " + rest)
		names = append(names, after[:direct]...)
	}
	return names
}

// blocksAbove is textBetween above the first chapter.
func (f *File) blocksAbove() [][]string {
	end := len(f.Source)
	if i := slices.IndexFunc(f.chapters, func(h Heading) bool { return h.Level > 1 }); i >= 0 {
		end = f.chapters[i].Start
	}
	return f.textBetween(0, end)
}

// textBetween returns the lines of each paragraph and list item between two offsets.
func (f *File) textBetween(start, end int) (blocks [][]string) {
	for _, b := range f.blocks {
		if b.Kind != Paragraph || len(b.Lines) == 0 || b.Lines[0].Start < start || b.Lines[0].Start >= end {
			continue
		}
		var lines []string
		for _, l := range b.Lines {
			lines = append(lines, strings.TrimSpace(string(f.Source[l.Start:l.End])))
		}
		blocks = append(blocks, lines)
	}
	return blocks
}

// joined returns blocks as one text, with an empty line between them.
func joined(blocks [][]string) string {
	texts := make([]string, len(blocks))
	for i, lines := range blocks {
		texts[i] = strings.Join(lines, "\n")
	}
	return strings.Join(texts, "\n\n")
}

// cutStatusLabel cuts the label off "1. **Status:** accepted" or "| Status | accepted |". Without a
// colon, the label must be the whole text.
func cutStatusLabel(s string) (value string, found bool) {
	at := statusLabel().FindStringIndex(s)
	if at == nil {
		return "", false
	}
	return strings.Trim(s[at[1]:], "|:*_ "), true
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
	return strings.ToLower(words.Composed(s[:end])), s[end:]
}

// statusOf returns the status that a text begins with, and what follows it. In a script without spaces
// the beginning of a word is enough.
func statusOf(s string) (kind StatusKind, rest string) {
	word, rest := firstWord(s)
	second, afterSecond := firstWord(rest)
	if kind := statusWords()[word+"-"+second]; kind != NoStatus {
		return kind, afterSecond
	}
	first, _ := utf8.DecodeRuneInString(word)
	if !unicode.In(first, unicode.Han, unicode.Hiragana, unicode.Katakana) {
		return statusWords()[word], rest
	}
	for end := len(word); end > 0; end-- {
		if kind := statusWords()[word[:end]]; kind != NoStatus {
			return kind, word[end:] + rest
		}
	}
	return NoStatus, rest
}

// isSuperseded reports whether a text begins as "superseded by ADR-5" does.
func isSuperseded(s string) bool {
	kind, rest := statusOf(s)
	next, _ := firstWord(rest)
	if kind != Superseded || !slices.Contains(leadWords, next) {
		return false
	}
	if word, _ := firstWord(s); word == "ersetzt" && next != "durch" { // it replaces another
		return false
	}
	_, direct := references(rest)
	return direct > 0
}

var (
	crossedOut   = lazyregexp.New(`~~[^~]*~~`)
	leadingCount = lazyregexp.New(`^\s\d+\s\pL`)
	twoWordLabel = lazyregexp.New(`^[^\pL]*\pL+[ _-]\pL+[*_ ]*[:|]`)

	clauseStart = lazyregexp.New(`[,;(→—–，、；（。]|\.\s|\sand\s|\n\n`)

	// superseding matches the beginning of a clause: "and supersedes", "This record replaces".
	superseding = lazyregexp.New(`(?im)(?:^|[,;(→—–，；（。]|\.\s|\sand\s)[^\pL\n]*(?:this\s\pL+\s)?` +
		`(?:(?:` + strings.Join(supersedingWords, "|") + `)\b|取代|替代)`)
)
