package when

import (
	"math"
	"slices"
	"strings"

	"whence/internal/index"
	"whence/internal/text"
)

// A trigger is found in two steps:
//
//  1. literally, ignoring case, spaces and final punctuation;
//  2. by the same words, if exactly one trigger fits best: in any order, in another
//     form ("write" for "writing"), with or without articles and an operator word in
//     front, and with slips: a letter wrong in a word, two neighbouring words joined
//     ("testdata"), or one word split ("time stamp"). The fewer slips, the better.
//
// A word with a letter wrong is a slip only if it is not a word itself: "text" is not a
// typo of "test" if the memory uses "text". resolve_typo.go has the rules.
//
// A merely similar trigger is only suggested, never answered: readers would mistake its section
// for the one they need.

// find returns the index of the entry with the trigger of a query, or -1.
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

// findExact compares triggers literally. Without an operator, /when comes first.
func (l *Library) findExact(operator, trigger string) int {
	trigger = index.NormalizeTrigger(strings.TrimRight(trigger, ".!?:;, 。！？：；，、…"))
	for _, o := range []string{"when", "how"} {
		if i, found := l.byKey[index.Key{Operator: o, Trigger: trigger}]; found && (operator == "" || operator == o) {
			return i
		}
	}
	return -1
}

// spokenOperator splits an operator without a slash off the front of a trigger: "when writing
// tests", "how to write tests". Without one, rest is "".
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
	language text.Language
	stems    map[string]string
	triggers [][]word        // of each entry
	details  [][]word        // title and description of each entry; nil until needed
	known    map[string]bool // all words of the index; nil until needed
	texts    []string        // the decision files in lower case; nil until needed
}

// word is a word of a trigger: as written, and its stem.
type word struct{ text, stem string }

// is reports whether two words are the same, or forms of the same.
func (w word) is(o word) bool { return w.text == o.text || w.stem == o.stem }

func newMatcher(l *Library) *matcher {
	m := &matcher{library: l, stems: map[string]string{}, triggers: make([][]word, len(l.entries))}
	texts := make([]string, len(l.entries))
	for i, e := range l.entries {
		m.triggers[i] = m.split(e.Trigger.Text)
		texts[i] = e.Trigger.Text + "\n" + e.Title.Text
	}
	m.language = text.LanguageOf(texts...)
	return m
}

// detailWords returns the words of title and description of each entry.
func (m *matcher) detailWords() [][]word {
	if m.details == nil {
		m.details = make([][]word, len(m.triggers))
		for i, e := range m.library.entries {
			m.details[i] = m.split(e.Title.Text + " " + e.Description.Text)
		}
	}
	return m.details
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

// compare reports whether the words of a query and a trigger can be paired. Slips is the number
// of pairs that are misspelt, joined or split.
func (m *matcher) compare(query, trigger []word) (slips int, same bool) {
	if len(query) > maxWordsRatio*len(trigger) || len(trigger) > maxWordsRatio*len(query) {
		return 0, false
	}
	inQuery, inTrigger := make([]bool, len(query)), make([]bool, len(trigger)) // the words that are paired
	for i := range len(query) - 1 {                                            // one word, split
		first, second := query[i], query[i+1]
		for j, o := range trigger {
			if !inQuery[i] && !inQuery[i+1] && !inTrigger[j] && m.isJoint(first, second, o) && !isContrary(first, second) {
				inQuery[i], inQuery[i+1], inTrigger[j] = true, true, true
				slips++
			}
		}
	}
	for i, w := range query { // two words, joined
		for j := range len(trigger) - 1 {
			first, second := trigger[j], trigger[j+1]
			if !inQuery[i] && !inTrigger[j] && !inTrigger[j+1] && m.isJoint(first, second, w) && !(isContrary(first, second) && m.isWord(w.text)) {
				inQuery[i], inTrigger[j], inTrigger[j+1] = true, true, true
				slips++
			}
		}
	}
	for i, w := range query { // before those misspelt, which must not take their place
		for j, o := range trigger {
			if !inQuery[i] && !inTrigger[j] && w.is(o) {
				inQuery[i], inTrigger[j] = true, true
			}
		}
	}
	if extra, missing := unpaired(query, inQuery), unpaired(trigger, inTrigger); extra < missing || extra > missing+articlesIn(trigger) {
		return 0, false
	}
	var misspelt []string
	for i, w := range query {
		for j, o := range trigger {
			if !inQuery[i] && !inTrigger[j] && !articles[w.text] && m.isSlip(w, o) {
				inQuery[i], inTrigger[j] = true, true
				misspelt = append(misspelt, w.text)
			}
		}
		if !inQuery[i] && !articles[w.text] {
			return 0, false
		}
	}
	if unpaired(trigger, inTrigger) > 0 {
		return 0, false
	}
	return slips + len(misspelt), !slices.ContainsFunc(misspelt, m.isWord)
}

// isJoint reports whether a word, or a form of it, is two others joined. It is not if the second
// is only a suffix of the first: "splitte" and "split" have the same stem.
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

// articles do not distinguish triggers.
var articles = map[string]bool{"a": true, "an": true, "the": true}

func articlesIn(words []word) (n int) {
	for _, w := range words {
		if articles[w.text] {
			n++
		}
	}
	return n
}

// unpaired counts the words that are not paired, except articles.
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
