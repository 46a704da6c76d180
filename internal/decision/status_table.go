package decision

import (
	"cmp"
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"unicode"

	"whence/internal/inert"
	"whence/internal/words"
)

// statusTable lists the phrases of statuses, folded, by kind.
//
//go:embed statuses.txt
var statusTable string

// StatusKind is the kind of a status.
type StatusKind int

const (
	negation    StatusKind = iota - 3 // "not"
	joining                           // "see": says nothing
	statusLabel                       // "Status" itself

	NoStatus     // none is stated, or none that is known: the decision holds
	Proposed     // also draft, pending, in review, on hold
	Accepted     // also approved, decided, implemented …
	Rejected     // also declined, withdrawn
	Superseded   // also replaced, deprecated, obsolete
	supersededBy // the same, and the successor follows
)

// maxPhraseWords bounds a phrase.
const maxPhraseWords = 10

// Statuses maps phrases of statuses, folded, to their kinds.
type Statuses map[string]StatusKind

// kindNames are the names of kinds in the table; settings use the first four.
var kindNames = map[string]StatusKind{
	"accepted": Accepted, "proposed": Proposed, "rejected": Rejected, "superseded": Superseded,
	"superseded by": supersededBy, "label": statusLabel, "joining": joining, "negation": negation,
}

var knownStatuses = sync.OnceValue(func() Statuses {
	known := Statuses{}
	for line := range strings.Lines(statusTable) {
		kind, phrases, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for phrase := range strings.SplitSeq(phrases, ", ") {
			known[phrase] = kindNames[kind]
		}
	}
	return known
})

// Add adds a phrase with the name of its kind. A phrase of the table cannot be changed.
func (s Statuses) Add(phrase, kind string) error {
	folded := statusWords(phrase)
	switch {
	case folded == "" || strings.Count(folded, " ") >= maxPhraseWords:
		return fmt.Errorf("%s is not a status: write its words", inert.Quoted(phrase))
	case kindNames[kind] <= NoStatus || kindNames[kind] > Superseded:
		return fmt.Errorf("%s is unknown: use accepted, proposed, rejected or superseded", inert.Quoted(kind))
	case knownStatuses()[folded] != NoStatus:
		return fmt.Errorf("%s is known by itself: remove the line", inert.Quoted(phrase))
	}
	s[folded] = kindNames[kind]
	return nil
}

// statusWords returns the words of a text in the form of the table.
func statusWords(s string) string {
	isGap := func(r rune) bool { return unicode.IsSpace(r) || r == '-' || r == '_' || r == '\ufe0f' } // \ufe0f is part of an emoji
	return words.Fold(strings.Join(strings.FieldsFunc(strings.ReplaceAll(s, "’", "'"), isGap), " "))
}

// of returns the kind of a phrase.
func (s Statuses) of(phrase string) StatusKind { return cmp.Or(knownStatuses()[phrase], s[phrase]) }

// in returns the kind of the longest phrase in a clause, and of several, the first. It is NoStatus if the word before
// the phrase negates it.
func (s Statuses) in(clause string) StatusKind {
	all := strings.Fields(clause)
	for size := min(len(all), maxPhraseWords); size > 0; size-- {
		for i := range all[size-1:] {
			kind := s.of(strings.Join(all[i:i+size], " "))
			if kind > NoStatus && i > 0 && knownStatuses()[all[i-1]] == negation {
				return NoStatus
			}
			if kind > NoStatus {
				return min(kind, Superseded)
			}
		}
	}
	return NoStatus
}

// isSupersededBy reports whether a clause begins with a phrase that a successor follows.
func isSupersededBy(clause string) bool {
	for ; clause != ""; clause = clause[:max(0, strings.LastIndex(clause, " "))] {
		if knownStatuses()[clause] == supersededBy {
			return true
		}
	}
	return false
}
