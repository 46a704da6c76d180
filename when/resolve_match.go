package when

import (
	"math"
	"slices"
	"strings"

	"whence/internal/index"
	"whence/internal/text"
)

// A trigger is found in two steps, and never by anything less:
//
//  1. as it is, ignoring case, spaces and final punctuation;
//  2. by the same words, if exactly one trigger fits best: in any order, in another
//     form ("write" for "writing"), with or without articles and an operator word in
//     front, and with slips: a letter wrong in a word, two neighbouring words joined
//     ("testdata"), or one word split ("time stamp"). The fewer slips, the better.
//
// A word with a letter wrong is a slip only if it is not a word itself: "text" is not a
// typo of "test" if the memory uses "text". typo.go has the rules.
//
// A merely similar trigger is only suggested, never answered: readers would take its
// section for the one they asked for.

// find returns the entry that a query asks for, or -1.
func (l *Library) find(q Query) int {
	if i := l.findExact(q.Operator, q.Trigger); i >= 0 {
		return i
	}
	if operator, rest := spokenOperator(q.Trigger); rest != "" {
		if i := l.findExact(operator, rest); i >= 0 {
			return i
		}
	}
	return l.words().find(q)
}

// findExact compares triggers as they stand. Without an operator, /when comes first.
func (l *Library) findExact(operator, trigger string) int {
	trigger = index.NormalizeTrigger(strings.TrimRight(trigger, ".!?:;, "))
	for _, o := range []string{"when", "how"} {
		if i, found := l.byKey[index.Key{Operator: o, Trigger: trigger}]; found && (operator == "" || operator == o) {
			return i
		}
	}
	return -1
}

// spokenOperator takes an operator from the front of a query in which it was spoken:
// "when writing tests", "how to write tests". Without one, rest is "".
func spokenOperator(trigger string) (operator, rest string) {
	words := strings.Fields(strings.ToLower(trigger))
	if len(words) < 2 || !index.IsOperator(words[0]) {
		return "", ""
	}
	operator, words = words[0], words[1:]
	if words[0] == "to" && len(words) > 1 {
		words = words[1:]
	}
	return operator, strings.Join(words, " ")
}

func (l *Library) words() *matcher {
	if l.matcher == nil {
		l.matcher = newMatcher(l)
	}
	return l.matcher
}

// matcher compares triggers by their words.
type matcher struct {
	library  *Library
	stems    map[string]string
	triggers [][]word        // of each entry
	rest     [][]word        // of each entry: the words of title and description; nil until they are needed
	known    map[string]bool // all words of the index; nil until they are needed
	texts    []string        // the decision files in lower case; nil until they are needed
}

// word is a word of a trigger: as written, and its stem.
type word struct{ text, stem string }

// is reports whether two words are the same, or forms of the same.
func (w word) is(o word) bool { return w.text == o.text || w.stem == o.stem }

func newMatcher(l *Library) *matcher {
	m := &matcher{library: l, stems: map[string]string{}, triggers: make([][]word, len(l.entries))}
	for i, e := range l.entries {
		m.triggers[i] = m.split(e.Trigger.Text)
	}
	return m
}

// descriptions returns the words of title and description of each entry.
func (m *matcher) descriptions() [][]word {
	if m.rest == nil {
		m.rest = make([][]word, len(m.triggers))
		for i, e := range m.library.entries {
			m.rest[i] = m.split(e.Title.Text + " " + e.Description.Text)
		}
	}
	return m.rest
}

// find returns the only entry whose words are those of the query with the fewest slips,
// or -1.
func (m *matcher) find(q Query) int {
	words := m.split(q.Trigger)
	if _, rest := spokenOperator(q.Trigger); rest != "" {
		words = m.split(rest)
	}
	best, found := math.MaxInt, -1
	for i, e := range m.library.entries {
		if q.Operator != "" && e.Operator != q.Operator {
			continue
		}
		switch slips, same := m.compare(words, m.triggers[i]); {
		case !same || slips > best:
		case slips == best && found >= 0 && !differOnlyByOperator(m.library.entries[found], e):
			found = -1
		case slips < best:
			best, found = slips, i
		}
	}
	return found
}

func differOnlyByOperator(a, b entry) bool {
	return a.Operator != b.Operator && a.Key().Trigger == b.Key().Trigger
}

// compare pairs the words of a query with those of a trigger. Slips is the number of pairs
// that are misspelt, joined or split.
func (m *matcher) compare(query, trigger []word) (slips int, same bool) {
	if len(query) > maxWordsRatio*len(trigger) || len(trigger) > maxWordsRatio*len(query) {
		return 0, false
	}
	asked, meant := make([]bool, len(query)), make([]bool, len(trigger)) // the words that are paired
	for i := range len(query) - 1 {                                      // one word, split
		first, second := query[i], query[i+1]
		for j, o := range trigger {
			if !asked[i] && !asked[i+1] && !meant[j] && m.isJoint(first, second, o) && !isContrary(first, second) {
				asked[i], asked[i+1], meant[j] = true, true, true
				slips++
			}
		}
	}
	for i, w := range query { // two words, joined
		for j := range len(trigger) - 1 {
			first, second := trigger[j], trigger[j+1]
			if !asked[i] && !meant[j] && !meant[j+1] && m.isJoint(first, second, w) && !(isContrary(first, second) && m.isWord(w.text)) {
				asked[i], meant[j], meant[j+1] = true, true, true
				slips++
			}
		}
	}
	for i, w := range query { // before those misspelt, which must not take their place
		for j, o := range trigger {
			if !asked[i] && !meant[j] && w.is(o) {
				asked[i], meant[j] = true, true
			}
		}
	}
	if wrong, all := unpaired(query, asked), unpaired(trigger, meant); wrong < all || wrong > all+articlesIn(trigger) {
		return 0, false
	}
	var misspelt []string
	for i, w := range query {
		for j, o := range trigger {
			if !asked[i] && !meant[j] && !articles[w.text] && isSlip(w, o) {
				asked[i], meant[j] = true, true
				misspelt = append(misspelt, w.text)
			}
		}
		if !asked[i] && !articles[w.text] {
			return 0, false
		}
	}
	if unpaired(trigger, meant) > 0 {
		return 0, false
	}
	return slips + len(misspelt), !slices.ContainsFunc(misspelt, m.isWord)
}

// isJoint reports whether a word, or a form of it, is two others joined. Some suffixes
// make no other word of the first one, as "splitte" and "split" have one stem.
func (m *matcher) isJoint(first, second, w word) bool {
	if w.text[0] != first.text[0] { // a stem begins as its word does
		return false
	}
	joint := m.word(first.text + second.text)
	return joint.text == w.text || joint.is(w) && !first.is(w)
}

// maxWordsRatio is how many times more words a query or a trigger may have than the
// other: each may be joined, or be an article.
const maxWordsRatio = 3

// articles say nothing about which trigger is meant.
var articles = map[string]bool{"a": true, "an": true, "the": true}

func articlesIn(words []word) (n int) {
	for _, w := range words {
		if articles[w.text] {
			n++
		}
	}
	return n
}

// unpaired counts the words that are not paired, without articles, which may be left over.
func unpaired(words []word, paired []bool) (n int) {
	for i, w := range words {
		if !paired[i] && !articles[w.text] {
			n++
		}
	}
	return n
}

// split returns the words of a trigger, without punctuation.
func (m *matcher) split(trigger string) []word {
	var words []word
	for _, w := range text.Fields(trigger) {
		words = append(words, m.word(w))
	}
	return words
}

func (m *matcher) word(s string) word {
	stem, known := m.stems[s]
	if !known {
		stem = text.Stem(s)
		m.stems[s] = stem
	}
	return word{s, stem}
}
