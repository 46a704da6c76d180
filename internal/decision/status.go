package decision

import (
	"net/url"
	"slices"
	"sort"
	"strings"
	"unicode"

	"whence/internal/lazyregexp"
	"whence/internal/words"
)

// Status is the status of a decision, as its record or section states it.
type Status struct {
	Kind       StatusKind
	Text       string   // its first line as written, without the targets of links: "Superseded by 5. Use Bun"
	Unknown    string   // the words of a status without a known phrase
	Successors []string // of one that does not hold: the links, names of files and numbers in its status
}

// Holds reports whether a decision may be pointed to as one to follow. A proposed one may: a team works by it until it
// is rejected, and its status is shown.
func (s Status) Holds() bool { return s.Kind < Rejected }

// Status returns the status of a document.
func (f *File) Status() Status { return f.Statuses[0] }

const (
	maxLabelBytes   = 64
	maxStatusBytes  = 2000
	maxUnknownChars = 40

	inName = `[\p{Latin}\p{Cyrillic}\p{Greek}\pM\d/._%-]*`
)

var (
	titleMark = lazyregexp.New(`^(?:\[?\pL*[-_ #]*\d+\]?[-–—.:)\s]*)?\[([^\[\]]+)\](?:[^(\[]|$)`)

	// unread matches struck text, comments, images (whose words stay), and the marks of checked items.
	unread = lazyregexp.New(`(?s)~~[^~]*~~|<!--.*?(?:-->|$)|!\[([^\[\]]*)\]\([^()]*\)|\[[xX✓]\] `)

	// goesOn matches the end of a line and the small letter with which the next line continues it.
	goesOn = lazyregexp.New(`\n(\p{Ll})`)

	// clauseEnd matches what counts ("2 others"), an issue (#12), a mark, or a name, which it captures: [[name]],
	// [text](target), a URL, a word with a digit, or a Markdown file.
	clauseEnd = lazyregexp.New(`\b\d\d? +\pL|#\d+|\[\[([^\[\]|]+)[^\[\]]*\]\]|\[[^\[\]]*\]\(\s*<?([^<>()]*?)>?\s*(?:["'][^()]*)?\)|` +
		`(https?://[^\s<>()|]+|(?:\b(?i:adr|rfc)[ #.]+)?` + inName + `\d` + inName + `|` + inName + `\.md\b)|` +
		`[^\pL\pM \t'’_-]|$`)
)

// ReadStatuses reads the statuses of a file. The phrases in others are known beside those of the table.
//
// The status of a record comes from its front matter; else its chapter Status, without unchecked items; else a line or
// cell "Status: …" above the first chapter. The status of a section of a log is its sub-heading Status, else such a
// line. Struck text and comments are not read.
//
// The text is split into clauses: at links, numbers, names of records, dates and marks, and at line ends, unless the
// next line continues with a small letter. Words that only join others, such as "see", do not count. The kind is that
// of the longest phrase that the first clause has as whole words. If the word before that phrase negates it, the status
// is unknown.
//
// A later clause counts only if it begins with "superseded by" and a name directly follows: a link, a file, ADR-12, or
// a number with only the phrase before it. Such a line above the first chapter counts, too, as does such a key of the
// front matter. If the first clause says that the decision holds, but another clause in that line, or another line, is
// a phrase by which it does not, the status is unknown. The successors are these names, and those that directly follow
// a first clause by which the decision does not hold.
//
// A mark in the title counts, too: "[SUPERSEDED] Use a queue".
func (f *File) ReadStatuses(others Statuses) {
	f.Statuses, f.phrases = make([]Status, len(f.Headings)), others
	if !f.Document && !f.isLog { // the decisions of other files have none
		return
	}
	for i, h := range f.Headings {
		if !h.Semantic() {
			continue
		}
		f.Statuses[i] = others.read(f.statusText(h))
		if m := titleMark().FindStringSubmatch(h.Title); m != nil {
			f.Statuses[i].Kind = max(f.Statuses[i].Kind, min(others.of(statusWords(m[1])), Superseded))
		}
	}
}

// statusText returns the text about the status of a decision.
func (f *File) statusText(h Heading) string {
	start, end := h.Start, h.End
	var lines []string
	if f.Document {
		start = 0
		for key, value := range FrontMatter(f.Source) {
			lines = append(lines, key+": "+value)
		}
		slices.Sort(lines)
	}
	at := func(offset int) int {
		return sort.Search(len(f.chapters), func(i int) bool { return f.chapters[i].Start >= offset })
	}
	chapters := f.chapters[at(start):at(end)]
	if len(chapters) > 0 && chapters[0].Level == h.Level { // its title
		chapters = chapters[1:]
	}
	if len(chapters) > 0 {
		end = chapters[0].Start
	}
	isStatus := func(c Heading) bool { return c.Level == chapters[0].Level && c.IsStatus() }
	if i := slices.IndexFunc(chapters, isStatus); i >= 0 {
		_, value, _ := cutLabel(chapters[i].Title)
		lines = append(lines, "Status: "+value+"\n\n"+strings.Join(f.paragraphs(chapters[i].Body, chapters[i].End), "\n\n"))
	}
	return statusIn(append(lines, f.paragraphs(start, end)...))
}

// statusIn returns what follows the first label Status that is not empty, and the separate lines that name a successor.
func statusIn(paragraphs []string) (status string) {
	beside := ""
	for _, paragraph := range paragraphs {
		for rest := paragraph; rest != ""; _, rest, _ = strings.Cut(rest, "\n") {
			label, value, isLabel := cutLabel(rest)
			if isLabel && status == "" && knownStatuses()[label] == statusLabel {
				status = value
				break
			}
			isOwn := isLabel || len(rest) == len(paragraph)
			if isOwn && isSupersededBy(label) && len(beside) < maxStatusBytes && Statuses(nil).read(rest).Successors != nil {
				beside += "\n\n" + rest
				break
			}
		}
	}
	return status + beside
}

// cutLabel returns the words with which a line begins, in the form of the table, and the rest of the text. They are a
// label if a colon or the border of a cell follows, which is cut off.
func cutLabel(text string) (label, rest string, isLabel bool) {
	text = strings.TrimLeftFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsLetter(r) })
	end := strings.IndexFunc(text, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M) && !strings.ContainsRune(" -_", r) })
	if end < 0 {
		end = len(text)
	}
	rest = strings.TrimLeft(text[end:], "*_` ")
	value := strings.TrimLeft(rest, ":：|")
	return statusWords(words.Beginning(text[:end], maxLabelBytes)), strings.Trim(value, "|*_ \n"), value != rest
}

// read reads the text of a status.
func (s Statuses) read(text string) (status Status) {
	text = strings.TrimSpace(strings.ToValidUTF8(words.Beginning(text, maxStatusBytes), ""))
	if text == "" {
		return status // as nearly always
	}
	line, _, _ := strings.Cut(text, "\n")
	status.Text = strings.Trim(strings.ReplaceAll(Plain(line), "**", ""), "| ")
	text = goesOn().ReplaceAllString(unread().ReplaceAllString(text, "$1"), " $1")
	clause, isOver, at := "", false, 0
	for _, m := range clauseEnd().FindAllStringSubmatchIndex(text, -1) {
		written, name := strings.Join(strings.Fields(text[at:m[0]]), " "), nameIn(text, m)
		said := statusWords(written)
		stop := text[m[0]:m[1]]
		isLine := (at == 0 || text[at-1] == '\n') && (stop == "\n" || stop == "")
		isOwn := isLine || m[0] <= len(line) && stop != ":" // "Rejected: Kafka" is an option
		at = m[1]
		switch {
		case said == "" || knownStatuses()[said] < NoStatus: // the clause above goes on
		case clause == "":
			clause, status.Kind, status.Unknown = said, s.in(said), written
			if isOver = status.Holds(); isOver {
				status.Successors = nil
			}
		default:
			clause, isOver = said, !isSupersededBy(said)
			if kind := s.of(said); status.Holds() && isOwn && (kind == Rejected || kind == Superseded) { // "accepted, deprecated"
				status.Kind, status.Unknown = NoStatus, status.Text
			}
		}
		if isOver || name == "" || isNumber(name) && knownStatuses()[clause] < Superseded {
			continue
		}
		status.Successors = append(status.Successors, name)
		if isSupersededBy(clause) {
			status.Kind = Superseded
		}
	}
	if clause == "" { // all of it is a link
		status.Kind, status.Unknown = s.in(statusWords(status.Text)), status.Text
	}
	status.Unknown = strings.TrimSuffix(words.Clip(status.Unknown, maxUnknownChars), " …")
	if status.Kind != NoStatus {
		status.Unknown = ""
	}
	return status
}

// nameIn returns the target of a link that ends a clause, or the word that names a record; "" for a mark.
func nameIn(text string, m []int) (name string) {
	for i := 2; i < len(m); i += 2 {
		name += text[max(m[i], 0):max(m[i+1], 0)]
	}
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	return strings.TrimRight(name, " .,;:-/")
}

func isNumber(name string) bool { return strings.Trim(name, "0123456789") == "" }
