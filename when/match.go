package when

import (
	"slices"
	"strings"
	"unicode"

	"whence/internal/index"
	"whence/internal/rank"
)

// A trigger is found in two steps, and never by anything less:
//
//  1. as it stands, without regard to case, blanks and final punctuation;
//  2. by the same words: in any order, in another form ("write" for "writing"),
//     with one letter wrong in each, with or without articles and an operator word
//     in front. Only if no other trigger fits as well.
//
// What is merely similar is no answer, only a suggestion: a section that was not
// asked for would be taken for the one that was.

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
		l.matcher = newMatcher(l.entries)
	}
	return l.matcher
}

// matcher compares triggers by their words.
type matcher struct {
	entries []entry
	stems   map[string]string
	fields  [][2][]word // of each entry: the words of its trigger, and those of title and description
}

// word is a word of a trigger: as written, and its stem.
type word struct{ text, stem string }

func newMatcher(entries []entry) *matcher {
	m := &matcher{entries: entries, stems: map[string]string{}, fields: make([][2][]word, len(entries))}
	for i, e := range entries {
		m.fields[i] = [2][]word{m.contentWords(e.Trigger.Text), m.contentWords(e.Title.Text + " " + e.Description.Text)}
	}
	return m
}

// find returns the only entry whose words are those of the query with the fewest
// letters wrong, or -1.
func (m *matcher) find(q Query) int {
	words := m.contentWords(q.Trigger)
	if _, rest := spokenOperator(q.Trigger); rest != "" {
		words = m.contentWords(rest)
	}
	best, found := len(words)+1, -1
	for i, fields := range m.fields {
		if q.Operator != "" && m.entries[i].Operator != q.Operator {
			continue
		}
		switch cost, same := sameWords(words, fields[0]); {
		case !same || cost > best:
		case cost == best && found >= 0 && !(m.entries[found].Operator != m.entries[i].Operator && sameTrigger(m.entries[found], m.entries[i])):
			found = -1
		case cost < best:
			best, found = cost, i
		}
	}
	return found
}

// sameTrigger tells whether two entries differ by their operator alone.
func sameTrigger(a, b entry) bool { return a.Key().Trigger == b.Key().Trigger }

// sameWords pairs the words of two triggers one to one. The cost is the number of
// pairs with a letter wrong.
func sameWords(a, b []word) (cost int, same bool) {
	if len(a) != len(b) || len(a) == 0 {
		return 0, false
	}
	var left []word
	rest := slices.Clone(b)
	for _, w := range a { // words that agree first, so that a wrong one cannot take their place
		if i := slices.IndexFunc(rest, func(o word) bool { return o.text == w.text || o.stem == w.stem }); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		} else {
			left = append(left, w)
		}
	}
	for _, w := range left {
		i := slices.IndexFunc(rest, func(o word) bool { return rank.OneTypo(w.text, o.text) || rank.OneTypo(w.stem, o.stem) })
		if i < 0 {
			return 0, false
		}
		rest = slices.Delete(rest, i, i+1)
		cost++
	}
	return cost, true
}

// articles say nothing about which trigger is meant.
var articles = map[string]bool{"a": true, "an": true, "the": true}

// contentWords splits a trigger into words, without articles and punctuation.
func (m *matcher) contentWords(trigger string) []word {
	var words []word
	for _, w := range strings.FieldsFunc(strings.ToLower(trigger), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_'
	}) {
		if articles[w] {
			continue
		}
		stem, known := m.stems[w]
		if !known {
			stem = rank.Stem(w)
			m.stems[w] = stem
		}
		words = append(words, word{w, stem})
	}
	return words
}
