package decision

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"whence/internal/inert"
	"whence/internal/lazyregexp"
	"whence/internal/words"
)

// statusTable lists what statuses say, folded, by kind.
//
//go:embed statuses.txt
var statusTable string

// Statuses are phrases of statuses, folded, and what they say.
type Statuses map[string]StatusKind

// kindNames are the names of kinds, in settings and in the table; the rest is in the table alone.
var kindNames = map[string]StatusKind{
	"accepted": Accepted, "proposed": Proposed, "rejected": Rejected, "superseded": Superseded,
	"superseded by": supersededBy, "superseded by, alone": onlyBy, "label": statusLabel,
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

// Add adds what a phrase says, by the name of its kind. A phrase that is known by itself cannot be changed.
func (s Statuses) Add(phrase, kind string) error {
	folded := statusWords(phrase)
	switch {
	case folded == "" || len(folded) > maxPhraseBytes:
		return fmt.Errorf("%s is not a status: write its words", inert.Quoted(phrase))
	case kindNames[kind] == NoStatus || kindNames[kind] > Superseded:
		return fmt.Errorf("%s is unknown: use accepted, proposed, rejected or superseded", inert.Quoted(kind))
	case knownStatuses()[folded] != NoStatus:
		return fmt.Errorf("%s is known by itself: remove the line", inert.Quoted(phrase))
	}
	s[folded] = kindNames[kind]
	return nil
}

// maxPhraseBytes bounds a phrase.
const maxPhraseBytes = 160

// statusWords returns the words of a text as the table has them.
func statusWords(s string) string {
	isGap := func(r rune) bool { return unicode.IsSpace(r) || r == '-' || r == '_' || r == '\ufe0f' } // that of an emoji
	return words.Fold(strings.Join(strings.FieldsFunc(strings.ReplaceAll(s, "’", "'"), isGap), " "))
}

// negated matches a negation directly before a phrase, which is cut out, or anywhere in a script without spaces.
var negated = lazyregexp.New(`(?:^| )(?:not|never|isn't|wasn't|nicht|non|pas|no|não|niet|ikke|inte|ej|не|nie|안) \x00|[未不]|ない|ません|않`)

// of returns what a clause says that is a phrase.
func (s Statuses) of(clause string) StatusKind { return max(knownStatuses()[clause], s[clause]) }

// maxClauseWords bounds a clause in which a phrase may be anywhere. A longer one is prose, and may be about anything.
const maxClauseWords = 8

// within returns what the longest phrase in a clause says. Where a negation is that no phrase has, nothing is known.
func (s Statuses) within(clause string) (kind StatusKind) {
	longest, isProse := 0, strings.Count(clause, " ") >= maxClauseWords
	for _, table := range []Statuses{knownStatuses(), s} {
		for phrase, found := range table {
			isBetter := len(phrase) > longest || len(phrase) == longest && found > kind
			if isBetter && found <= supersededBy && (!isProse || strings.HasPrefix(clause, phrase)) && isIn(clause, phrase) {
				longest, kind = len(phrase), found
			}
		}
	}
	return kind
}

// isIn reports whether a clause has a phrase, as whole words, and not denied.
func isIn(clause, phrase string) bool {
	before, after, found := strings.Cut(clause, phrase)
	if !found {
		return false
	}
	left, _ := utf8.DecodeLastRuneInString(before)
	right, _ := utf8.DecodeRuneInString(after)
	first, _ := utf8.DecodeRuneInString(phrase)
	isWhole := !unicode.IsLetter(left) && !unicode.IsLetter(right) && !unicode.IsMark(right)
	return (isWhole || words.IsUnspaced(first)) && !negated().MatchString(before+"\x00"+after)
}
