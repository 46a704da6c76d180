package decision

import (
	"cmp"
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
	Text       string   // as written, in one line without the targets of links: "Superseded by 5. Use Bun"
	Unknown    string   // the words of a status that no phrase is known of
	Successors []string // of one that does not hold: the links, names of files and numbers in its status
}

// StatusKind is the kind of a status. If several are stated, the last of these counts.
type StatusKind int

const (
	NoStatus     StatusKind = iota // none is stated, or none that is known: the decision holds
	Proposed                       // also draft, pending, in review, on hold
	Accepted                       // also approved, decided, implemented …
	Rejected                       // also declined, withdrawn
	Superseded                     // also replaced, deprecated, obsolete
	supersededBy                   // the same, and the successor follows
	onlyBy                         // the same, if nothing else precedes the successor
	statusLabel                    // "Status" itself
)

// Holds reports whether a decision may be pointed to as one to follow. A proposed one may: it is what a
// team works by until it is rejected, and its status is shown.
func (s Status) Holds() bool { return s.Kind < Rejected }

// Status returns the status of a document.
func (f *File) Status() Status { return f.Statuses[0] }

// ReadStatuses reads the statuses of a file, with phrases that are known beside those of the table. That of a document is
// in its front matter, else in the chapter Status, else in a line or cell above the chapters; that of a section in the
// heading Status below its own, else in a line or cell. A line that says by what it is superseded counts beside it.
func (f *File) ReadStatuses(others Statuses) {
	f.Statuses = make([]Status, len(f.Headings))
	all := f.Headings
	if f.chapters != nil {
		all = f.chapters
	}
	for i, h := range f.Headings {
		var front []string
		start, end, chapter := h.Body, h.End, ""
		at := sort.Search(len(all), func(i int) bool { return all[i].Start >= h.Start })
		below := all[min(at+1, len(all)):]
		if f.Document {
			start, below = 0, all
			for key, value := range FrontMatter(f.Source) {
				front = append(front, key+": "+value)
			}
			slices.Sort(front)
		} else if !h.Semantic() {
			continue
		}
		for n, c := range below {
			if c.Start >= h.End {
				break
			}
			isTitle := f.Document && c.Level == 1
			if !isTitle {
				end = min(end, c.Start)
			}
			if chapter == "" && c.IsStatus() && (n > 0 || !isTitle) && (f.Document || c.Parent == at) {
				next := h.End
				if n+1 < len(below) {
					next = min(next, below[n+1].Start)
				}
				_, value, _ := cutLabel(c.Title)
				chapter = strings.TrimSpace(value + "\n\n" + strings.Join(f.paragraphs(c.Body, next), "\n\n"))
			}
		}
		inFront, besideFront := statusLines([]string{strings.Join(front, "\n")})
		line, beside := statusLines(f.paragraphs(start, end))
		f.Statuses[i].read(cmp.Or(inFront, chapter, line)+besideFront+beside, others)
		if m := titleMark().FindStringSubmatch(words.Beginning(h.Title, maxLabelBytes)); m != nil { // "[SUPERSEDED] Use a queue"
			f.Statuses[i].Kind = max(f.Statuses[i].Kind, min(others.of(statusWords(m[1])), Superseded))
		}
	}
}

// paragraphs returns the paragraphs and list items between two offsets, without open items of check lists.
func (f *File) paragraphs(start, end int) (all []string) {
	for _, b := range f.blocks[sort.Search(len(f.blocks), func(i int) bool { return f.blocks[i].Start >= start }):] {
		if b.Start >= end {
			break
		}
		lines := make([]string, len(b.Lines))
		for i, l := range b.Lines {
			lines[i] = strings.TrimSpace(string(f.Source[l.Start:l.End]))
		}
		if b.Kind == Paragraph && len(lines) > 0 && !strings.HasPrefix(lines[0], "[ ]") {
			all = append(all, strings.Join(lines, "\n"))
		}
	}
	return all
}

// statusLines returns what follows the first label Status, and the paragraphs that say by what it is superseded and
// name that. A further line without a label belongs to the one above it, and one below an empty label to that.
func statusLines(paragraphs []string) (status, beside string) {
	var open, other *string
	for _, paragraph := range paragraphs {
		for i, line := range strings.Split(paragraph, "\n") {
			label, rest, isLabel := cutLabel(line)
			isStatus := isLabel && knownStatuses()[label] == statusLabel
			isBeside := knownStatuses()[label] == supersededBy || knownStatuses()[label[:max(0, strings.LastIndexByte(label, ' '))]] == supersededBy // "… adr" 5
			switch {
			case isStatus && status == "":
				status, open = rest, &status
			case len(status)+len(beside) > maxStatusBytes: // no more is read
				return status, beside
			case isBeside && (i == 0 || isLabel) && namesRecord().MatchString(line):
				beside += "\n\n" + line
				open = &beside
			case open != nil && !isLabel && (i > 0 || *open == ""):
				*open += "\n" + line
			default:
				open = other
			}
		}
	}
	return status, beside
}

// cutLabel returns the words with which a line begins, as the table has them, and the rest. They are a label if a colon or
// the border of a cell follows, which is cut off.
func cutLabel(line string) (label, rest string, isLabel bool) {
	line = strings.TrimLeftFunc(line, func(r rune) bool { return !unicode.IsLetter(r) })
	end := strings.IndexFunc(line, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != ' ' && r != '-' && r != '_'
	})
	if end < 0 {
		end = len(line)
	}
	rest = strings.TrimLeft(line[end:], "*_` ")
	if end > maxLabelBytes || rest != "" && !strings.ContainsAny(rest[:1], ":|[\"('0123456789") && !strings.HasPrefix(rest, "：") {
		return "", rest, false // as nearly always
	}
	value := strings.TrimPrefix(strings.TrimLeft(rest, ":|"), "：")
	return statusWords(line[:end]), strings.Trim(value, "|*_ "), value != rest
}

const (
	maxLabelBytes   = 64
	maxStatusBytes  = 2000
	maxUnknownChars = 40
	maxAndBytes     = 5 // of what may be between two successors: "and"

	letters = `\p{Latin}\p{Cyrillic}\p{Greek}\pM`
)

var (
	namesRecord = lazyregexp.New(`\[|https?:|(?i:adr|rfc)\b|\d{3}|\.md\b|\d\W*$`)
	unread      = lazyregexp.New(`(?s)~~[^~]*~~|<!--.*?(?:-->|$)|!\[([^\[\]]*)\]\([^()]*\)|\[[xX✓]\] `)
	leadingLink = lazyregexp.New(`^([^\pL\[]*)\[([^\[\]]*)\]\(`)
	titleMark   = lazyregexp.New(`^(?:\[?\pL*[-_ #]*\d+\]?[-–—.:)\s]*)?\[([^\[\]]+)\](?:[^(\[]|$)`)

	// statusStop matches what ends a clause: [[name]], [text](target), [text](<target>), a URL, a word with a digit, the
	// name of a Markdown file, the end of a paragraph, or a mark.
	statusStop = lazyregexp.New(`\[\[([^\[\]|]+)[^\[\]]*\]\]|\[[^\[\]]*\]\(\s*(?:<([^<>]*)>|([^\s()<>]*))[^()]*\)|` +
		`(https?://[^\s<>()|]+|(?:\b(?i:adr|rfc)[ #.]+)?[` + letters + `\d/._%#-]*\d[` + letters + `\d/._%-]*|` +
		`[` + letters + `/._%-]+\.md\b)|\n\n|[^\pL\pM\s'’_-]|$`)
)

// read reads a status. In its first clause a phrase counts wherever it is, else only if it is all of the clause: what
// follows may be about anything. The successors are named behind a phrase, or else before it.
func (s *Status) read(text string, others Statuses) {
	if text = strings.ToValidUTF8(words.Beginning(text, maxStatusBytes), ""); text == "" {
		return // as nearly always
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	s.Text = strings.ReplaceAll(Plain(first), "**", "")
	text = unread().ReplaceAllString(text, "$1")
	text = leadingLink().ReplaceAllString(text, "$1$2 [](") // "[Superseded by 5](0005-x.md)"
	var names []string
	var last StatusKind // of the clause before a name
	at, from, before, isOver, said := 0, -1, "", false, [onlyBy + 1]bool{}
	for _, m := range statusStop().FindAllStringSubmatchIndex(text, -1) {
		written, stop, name := text[at:m[0]], text[m[0]:m[1]], nameIn(text, m)
		clause := statusWords(written)
		isOver = isOver || from >= 0 && len(names) > from && (len(clause) > maxAndBytes || stop == "\n\n")
		kind := others.of(clause)
		if clause != "" {
			last = kind
		}
		switch {
		case clause == "" || kind == statusLabel:
		case s.Unknown == "":
			s.Unknown = strings.TrimSuffix(words.Clip(strings.Join(strings.Fields(written), " "), maxUnknownChars), " …")
			kind = cmp.Or(kind, others.within(clause))
		case before == "" && (kind == Superseded && name != "" || kind <= Superseded && stop == ":"):
			kind = NoStatus // "Akzeptiert, ersetzt ADR-5" may be what it replaces, and "Rejected: Kafka" an option
		}
		if kind != NoStatus && kind != statusLabel {
			said[kind] = true
			s.Kind = max(s.Kind, min(kind, Superseded))
			if kind > Accepted && (from < 0 || kind > Superseded) {
				from, isOver = len(names), false
			}
		}
		if said[Proposed] && said[Accepted] && said[Rejected] { // "proposed | rejected | accepted" is a template
			*s = Status{Text: s.Text}
			return
		}
		if name != "" && !isOver {
			if last > Superseded && isNumber(name) && !strings.ContainsFunc(text[m[1]:], unicode.IsLetter) {
				name = "adr-" + name // as nothing else is named
			}
			names = append(names, name)
		}
		if at, before = m[1], name; name != "" {
			last = NoStatus
		} else if stop == "\n\n" {
			said = [onlyBy + 1]bool{}
		}
	}
	if s.Kind != NoStatus {
		s.Unknown = ""
	}
	if from == len(names) {
		from = 0
	}
	if from >= 0 {
		s.Successors = append(s.Successors, names[from:]...)
	}
}

// nameIn returns the target of a link that was matched, or the name of a record that a word is; "" for a mark, for a day,
// and for "#12", which is an issue.
func nameIn(text string, m []int) string {
	name := ""
	for i := 2; i < len(m); i += 2 {
		name += text[max(m[i], 0):max(m[i+1], 0)]
	}
	if decoded, err := url.PathUnescape(name); err == nil {
		name = decoded
	}
	if text[m[0]:m[1]] == "" || text[m[0]] == '[' {
		return strings.TrimSpace(name)
	}
	name = strings.Trim(name, ".,;:-/ ")
	if n := ParseName(name + ".md"); strings.HasPrefix(name, "#") || n.IsDay && n.Words == "" {
		return ""
	}
	return name
}

func isNumber(name string) bool { return name != "" && strings.Trim(name, "0123456789") == "" }
