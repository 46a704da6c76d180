package decision

import (
	"bytes"
	"net/url"
	"path"
	"regexp"
	"strings"
	"sync"
)

// Status is the status of a decision, as its document states it.
type Status struct {
	Kind StatusKind
	Text string // as written, in one line without the targets of links: "Superseded by 5. Use Bun"

	// Successors name the records that replace this one, and Supersedes those that it replaces: the
	// base name of a file, or the number of a record of the same folder.
	Successors, Supersedes []string
}

// StatusKind is the kind of a status.
type StatusKind int

const (
	NoStatus   StatusKind = iota // none is stated, or none that is known: the decision holds
	Accepted                     // also approved, adopted, implemented
	Proposed                     // also draft, pending, on hold: it is the best that there is
	Rejected                     // also declined, withdrawn, abandoned
	Deprecated                   // also obsolete, retired
	Superseded                   // also replaced; not in part, and not amended: the rest still holds
)

// Holds reports whether a decision may be pointed to as one to follow.
func (s Status) Holds() bool { return s.Kind < Rejected }

// statusForms are the beginnings of statements by their kind, as templates and tools write them:
// those of Nygard, MADR, adr-tools and log4brains, and common other words.
var statusForms = sync.OnceValue(func() map[StatusKind]*regexp.Regexp {
	forms := map[StatusKind]*regexp.Regexp{}
	for kind, words := range map[StatusKind]string{
		Accepted:   "accepted|approved|adopted|agreed|decided|implemented|active|in force|done",
		Proposed:   "proposed|proposal|draft|drafted|pending|on hold|in review|under review|in discussion|open|rfc|wip|work in progress",
		Rejected:   "rejected|declined|withdrawn|abandoned|not accepted|won't do",
		Deprecated: "deprecated|obsolete|obsoleted|retired|no longer valid|outdated",
		Superseded: "superseded|superceded|supersded|superseeded|replaced",
	} {
		forms[kind] = regexp.MustCompile(`(?i)^[^\pL\d]*((this|the) (adr|record|decision) )?((is|was|has been|now|currently) )*(` + words + `)\b`)
	}
	return forms
})

var (
	statusLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^[ \t]*([-*+][ \t]+)?[*_]*status[*_]*[ \t]*:[*_]*[ \t]*(.*)$`)
	})
	replacedBy = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(super[sc]e?eded|replaced|obsoleted)[*_]* (by|with)\b`)
	})
	inPart   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\b(part(ly|ially)?|some|mostly|in part)\b`) })
	replaces = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^[^\pL\d\[(]*(this (adr|record|decision) )?(supersedes|supercedes|replaces)[*_]*:?[ \t]*(\[|adr\b|#|\d)`)
	})
	linkTarget  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\]\(\s*<?([^)\s>]+)|\[\[([^\]|]+)`) })
	recordNamed = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:\badr[-_ #]*|#|\b(?:by|with|supersedes|replaces)[ :]+|\bno\.? *)0*(\d{1,5})\b`)
	})
)

// Status returns the status of a document: from its front matter, the chapter Status, or lines above
// the first chapter. All statements count: a record that was accepted may be superseded later.
func (f *File) Status() Status {
	var s Status
	var texts []string
	for _, statement := range f.statements() {
		statement = strings.TrimSpace(htmlComment().ReplaceAllString(statement, ""))
		if statement == "" || strings.Contains(statement, " | ") { // the choices of a template
			continue
		}
		texts = append(texts, plain(statement))
		s.read(statement)
	}
	s.Text = strings.Join(texts, "; ")
	lower := bytes.ToLower(f.Source)
	if !bytes.Contains(lower, []byte("replaces")) && !bytes.Contains(lower, []byte("cedes")) && !bytes.Contains(lower, []byte("sedes")) {
		return s
	}
	for line := range strings.Lines(string(f.Source)) {
		if replaces().MatchString(line) && !inPart().MatchString(line) {
			s.Supersedes = append(s.Supersedes, recordsNamed(line)...)
		}
	}
	return s
}

var htmlComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<!--.*?-->`) })

// read reads one statement. The later kinds are the stronger ones.
func (s *Status) read(statement string) {
	kind := NoStatus
	for known, form := range statusForms() {
		if form.MatchString(statement) {
			kind = max(kind, known)
		}
	}
	by := replacedBy().FindStringIndex(statement)
	if by != nil {
		kind = Superseded
	}
	if kind == Superseded && inPart().MatchString(statement) {
		kind = Accepted
	}
	s.Kind = max(s.Kind, kind)
	if kind < Rejected {
		return
	}
	if by == nil {
		by = []int{0, 0}
	}
	s.Successors = append(s.Successors, recordsNamed(statement[by[0]:])...)
}

// statements returns the lines that state the status.
func (f *File) statements() (lines []string) {
	if value := frontMatterValue(f.Source, "status"); value != "" {
		return []string{value}
	}
	head := len(f.Source)
	for _, h := range f.chapters {
		if h.Level == 1 {
			continue
		}
		head = min(head, h.Start)
		name, value, _ := strings.Cut(h.Title, ":")
		if key := Key(strings.TrimSpace(name)); key != "status" && key != "decision status" && key != "state" {
			continue
		}
		body := f.Source[h.Body:]
		for _, next := range f.chapters {
			if next.Start >= h.Body {
				body = f.Source[h.Body:next.Start]
				break
			}
		}
		return append([]string{value}, strings.Split(htmlComment().ReplaceAllString(string(body), ""), "\n")...)
	}
	for line := range strings.Lines(string(f.Source[contentStart(f.Source):head])) {
		if m := statusLine().FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			lines = append(lines, m[2])
		}
	}
	return lines
}

// recordsNamed returns the records that a statement names: by links, or else by numbers.
func recordsNamed(statement string) (names []string) {
	for _, m := range linkTarget().FindAllStringSubmatch(statement, -1) {
		target, _, _ := strings.Cut(m[1]+m[2], "#")
		if plain, err := url.PathUnescape(target); err == nil {
			target = plain
		}
		if target != "" {
			names = append(names, path.Base(target))
		}
	}
	if names != nil {
		return names
	}
	for _, m := range recordNamed().FindAllStringSubmatch(statement, -1) {
		names = append(names, m[1])
	}
	return names
}
