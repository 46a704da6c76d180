package decision

import "strings"

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
	Accepted                     // also approved, decided, implemented …, and superseded in part
	Proposed                     // also draft, pending, in review, on hold
	Rejected                     // also declined, withdrawn
	Deprecated                   // also obsolete, retired
	Superseded                   // also replaced; amended is none: the rest still holds
)

// Holds reports whether a decision may be pointed to as one to follow. A proposed one may: it is what a
// team works by until it is rejected, and its status is shown.
func (s Status) Holds() bool { return s.Kind < Rejected }

// Status returns the status of a document: from its front matter, from the section Status, or from lines
// such as "* Status: accepted" above the first section. The first of them that has one counts. What it
// supersedes may be said anywhere.
func (f *File) Status() Status {
	var s Status
	for _, statements := range [][]statement{f.frontMatterStatus(), f.sectionStatus(), f.headStatus()} {
		if len(statements) > 0 {
			s.read(statements)
			break
		}
	}
	for line := range strings.Lines(string(f.Source)) {
		if tokens := supersededTokens(line); tokens != nil {
			names, _ := references(append([]token{{word: "by"}}, tokens...))
			s.Supersedes = append(s.Supersedes, names...)
		}
	}
	return s
}

// statement is a line that may state a status, without markers around it.
type statement string

// maxListed is the number of lines after "Superseded by" in which a record is looked for.
const maxListed = 10

// read reads statements. A status moves one way, from proposed to superseded, so of several the
// furthest counts, in whatever order they are listed.
func (s *Status) read(statements []statement) {
	var texts []string
	for i, statement := range statements {
		tokens := tokensOf(string(statement))
		if isChoice(tokens) {
			continue
		}
		kind, rest := kindOf(tokens, s.Kind == NoStatus)
		if i == 0 || kind != NoStatus || len(tokens) > 0 && others[tokens[0].word] { // else prose
			texts = append(texts, plain(string(statement)))
		}
		if kind < Deprecated {
			if kind.further(s.Kind) {
				s.Kind = kind
			}
			continue
		}
		successors, by := references(rest)
		for next := i + 1; len(successors) == 0 && len(rest) <= 1 && next < min(len(statements), i+maxListed); next++ { // "Superseded by" above a list
			successors, _ = references(append([]token{{word: "by"}}, tokensOf(string(statements[next]))...))
		}
		if by && len(successors) > 0 { // "deprecated by" a record
			kind = Superseded
		}
		if kind.further(s.Kind) {
			s.Kind, s.Successors = kind, nil
		}
		if kind == s.Kind {
			s.Successors = append(s.Successors, successors...)
		}
	}
	s.Text = strings.Join(texts, "; ")
}

// supersededTokens returns what follows "Supersedes" or "Replaces" at the beginning of a line that names
// records, or nil. What replaces a part of a record leaves the rest of it.
func supersededTokens(line string) []token {
	line = withoutMarkers(line)
	for _, subject := range []string{"this adr ", "this record ", "this decision "} {
		if rest, found := cutFold(line, subject); found {
			line = rest
		}
	}
	line = strings.TrimLeft(line, "*_ ")
	for _, verb := range []string{"supersedes", "supercedes", "replaces"} {
		rest, found := cutFold(line, verb)
		if !found || len(rest) > maxStatementBytes {
			continue
		}
		tokens := tokensOf(strings.TrimLeft(rest, "*_: "))
		if len(tokens) > 0 && !isPartial(tokens) && (tokens[0].link != "" || recordName(tokens[0].text) != "" || strings.HasPrefix(tokens[0].word, "adr")) {
			return tokens
		}
	}
	return nil
}

// further reports whether a decision reaches a status after another one.
func (k StatusKind) further(than StatusKind) bool {
	order := [...]int{NoStatus: 0, Proposed: 1, Accepted: 2, Rejected: 3, Deprecated: 4, Superseded: 5}
	return order[k] > order[than]
}

var statusWords = map[string]StatusKind{
	"proposed": Proposed, "draft": Proposed, "pending": Proposed, "wip": Proposed, "open": Proposed, "deferred": Proposed,
	"postponed": Proposed, "in review": Proposed, "under review": Proposed, "in discussion": Proposed,
	"under discussion": Proposed, "in progress": Proposed, "work in": Proposed, "rfc": Proposed, "drafted": Proposed, "on hold": Proposed,

	"accepted": Accepted, "approved": Accepted, "decided": Accepted, "agreed": Accepted, "adopted": Accepted,
	"implemented": Accepted, "active": Accepted, "final": Accepted, "done": Accepted, "ratified": Accepted,
	"confirmed": Accepted, "valid": Accepted, "enacted": Accepted, "in force": Accepted,

	"rejected": Rejected, "declined": Rejected, "withdrawn": Rejected, "abandoned": Rejected, "cancelled": Rejected,
	"canceled": Rejected, "discarded": Rejected, "dropped": Rejected, "dismissed": Rejected, "won't do": Rejected,

	"deprecated": Deprecated, "obsolete": Deprecated, "obsoleted": Deprecated, "retired": Deprecated, "expired": Deprecated,
	"outdated": Deprecated, "inactive": Deprecated, "archived": Deprecated, "revoked": Deprecated, "reverted": Deprecated,
	"no longer": Deprecated,

	"superseded": Superseded, "superceded": Superseded, "superseeded": Superseded, "replaced": Superseded,
	"overridden": Superseded, "supplanted": Superseded,
}

// set returns the words of a text as a set.
func set(words string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(words) {
		all[w] = true
	}
	return all
}

var (
	// fillers may come before a status, subjects before the first one.
	fillers  = set("now later then since currently also and fully completely conditionally provisionally tentatively")
	subjects = set("this the it adr decision proposal record document is are has have been was were status marked as")

	// doubts before a status say that it is not reached.
	doubts = set("not never to will would should could may might until if unless when once")

	// partly says that the rest of the decision still holds.
	partly = set("part parts partly partial partially")

	// others begin what is said of another record.
	others = set("supersedes superseding replaces replacing amends amended amending obsoletes deprecates clarifies clarified extends extended relates related depends")
)

// kindOf returns the status that a statement gives, and what follows it. It is the furthest of those
// that begin a clause, or are followed by the word "by".
func kindOf(tokens []token, first bool) (kind StatusKind, rest []token) {
	atStart, doubt := true, ""
	for i, t := range tokens {
		k, words := statusAt(tokens[i:])
		switch {
		case t.separates:
			atStart, doubt = true, ""
			continue
		case t.link != "":
			continue
		case others[t.word]:
			return kind, rest
		case k == NoStatus && atStart && (isNumber(t.word) || fillers[t.word] || partly[t.word] || first && subjects[t.word]):
			continue
		case k == NoStatus:
			if doubts[t.word] && (doubt == "" || !atStart) {
				doubt = t.word
				if atStart && t.word == "not" {
					doubt = "not at first"
				}
			}
			atStart = false
			continue
		case doubt == "not at first" && k == Accepted && tokens[i-1].word == "yet":
			k = Proposed
		case doubt == "not at first" && k == Accepted:
			k = Rejected
		case doubt != "" || !atStart && !followedByBy(tokens[i+words:]):
			continue
		}
		if k >= Deprecated && isPartial(tokens) {
			k = Accepted
		}
		if k.further(kind) {
			kind, rest = k, tokens[i+words:]
		}
		atStart = false
	}
	return kind, rest
}

// statusAt returns the status that the first words name, and their number.
func statusAt(tokens []token) (kind StatusKind, words int) {
	if len(tokens) > 1 {
		if k := statusWords[tokens[0].word+" "+tokens[1].word]; k != NoStatus {
			return k, 2
		}
	}
	return statusWords[tokens[0].word], 1
}

func followedByBy(rest []token) bool { return len(rest) > 0 && rest[0].word == "by" }

func isPartial(tokens []token) bool {
	for _, t := range tokens {
		if partly[t.word] {
			return true
		}
	}
	return false
}

// isChoice reports whether a statement lists what a status may be, as a template does: "proposed |
// accepted | rejected".
func isChoice(tokens []token) bool {
	kinds, choice := map[StatusKind]bool{}, false
	for i, t := range tokens {
		for _, w := range strings.Split(t.word, "/") {
			if k := statusWords[w]; k != NoStatus {
				kinds[k] = true
			} else if k, _ := statusAt(tokens[i:]); k != NoStatus {
				kinds[k] = true
			}
		}
		choice = choice || t.chooses || strings.Contains(strings.Trim(t.word, "0123456789"), "/") && t.link == ""
	}
	return len(kinds) > 2 && (choice || kinds[Accepted] && kinds[Rejected])
}

// references returns the records that are named after a status, and whether the word "by" is
// among it: links to files, else names and numbers after "by", else links elsewhere.
func references(rest []token) (names []string, by bool) {
	var links, plain, remote []string
	expected := false // a name may follow
	for _, t := range rest {
		name := recordName(t.text)
		switch {
		case others[t.word]:
			rest = nil
		case strings.Contains(t.link, ":"):
			remote = append(remote, t.link)
		case t.link != "":
			links = append(links, t.link)
		case t.word == "by" || t.word == "with" || t.word == "favour" || t.word == "favor":
			by, expected = by || t.word == "by", true
		case expected && name != "":
			plain = append(plain, name)
		case !t.separates && !beforeNumber[t.word]:
			expected = false
		}
		if rest == nil {
			break
		}
	}
	for _, names := range [][]string{links, plain, remote} {
		if len(names) > 0 {
			return names, by
		}
	}
	return nil, by
}

// beforeNumber are the words between "by" and the number of a record.
var beforeNumber = set("of the adr adrs rfc record records decision number no and see")

// recordName returns the number or name of a record that a word is, or "".
func recordName(word string) string {
	lower := strings.ToLower(word)
	number := strings.TrimLeft(strings.TrimPrefix(lower, "adr"), "-_#")
	switch {
	case strings.HasSuffix(lower, ".md"):
		return word
	case number != "" && strings.Trim(number, "0123456789") == "":
		return number
	case lower != "" && (lower[0] >= '0' && lower[0] <= '9' || number != lower) && strings.Trim(number, "0123456789-/.") != "" && strings.Contains(number, "-"):
		return word
	}
	return ""
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789-/.#") == "" }
