package learning

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"whence/internal/text"
)

// Statement is a text prepared for comparison with others.
type Statement struct {
	folded string
	words  []term // of weight, in order, a leading condition moved to the end
	main   int    // number of words before the reason
	limits        // of the whole text
	core   limits // of what precedes the reason
}

// limits holds what must agree between two statements.
type limits struct {
	names, doubts map[string]bool // numbers and identifiers; words that restrict or weaken
	denials       int
}

func (l limits) agree(m limits) bool {
	return l.denials == m.denials && maps.Equal(l.names, m.names) && maps.Equal(l.doubts, m.doubts)
}

// term is a word of weight.
type term struct {
	word   string // lower case
	group  string // stem, or the first of its synonyms
	denied bool
	joint  string // the directed word before it, or ""
}

// Read prepares a text for comparison.
func Read(description string) *Statement {
	s := &Statement{folded: Folded(description), limits: limits{names: map[string]bool{}, doubts: map[string]bool{}}}
	clean := plainQuotes(text.Clean(description))
	first, rest := firstSentence(clean)
	main, why := splitReason(withoutLeadIn(first))
	s.add(reordered(main))
	s.main = len(s.words)
	s.core = limits{maps.Clone(s.names), maps.Clone(s.doubts), s.denials}
	s.add(why)
	if rest != "" {
		s.add(rest)
		// Further sentences that outweigh the first one are more than its reason.
		if why == "" && len(s.words) > 2*s.main {
			s.main = len(s.words)
			s.core = s.limits
		}
	}
	return s
}

// reordered moves a leading condition to the end: "before X, Y" becomes "Y before X".
func reordered(sentence string) string {
	if !conditions.has(strings.ToLower(firstWord(sentence))) {
		return sentence
	}
	before, after, found := strings.Cut(sentence, ", ")
	if !found || !hasWords(after, 2) {
		return sentence
	}
	return strings.TrimRight(withoutLeadIn(after), ".!?;") + " " + before
}

// add reads words.
func (s *Statement) add(clause string) {
	parts := partsOf(clause)
	denied, joint, previous := false, "", ""
	for i := 0; i < len(parts); i++ {
		part, next := parts[i], ""
		if i+1 < len(parts) {
			next = parts[i+1]
		}
		switch {
		case strings.HasPrefix(part, nameMark):
			s.names[part] = true
			denied, joint = false, ""
		case (part == "turn" || part == "switch") && (next == "on" || next == "off"):
			s.take(map[string]string{"on": "enable", "off": "disable"}[next], denied, joint)
			denied, joint = false, ""
			i++
		case part == "avoid" && (previous == "to" || previous == "and"), part == "avoids":
			s.take(part, denied, joint)
			denied, joint = false, ""
		case denies.has(part), strings.HasSuffix(part, "n't"), part == "stop" && strings.HasSuffix(next, "ing"):
			s.denials++
			denied = !denied
		case doubtful.of(part) != "":
			s.doubts[doubtful.of(part)] = true
		case directed.of(part) != "":
			joint = directed.of(part)
		case light.has(part) || text.IsStopWord(part):
		default:
			s.take(part, denied, joint)
			denied, joint = false, ""
		}
		previous = part
	}
}

// nameMark precedes numbers and identifiers among parts.
const nameMark = "\x00"

// partsOf splits a text into words, in lower case, also at hyphens. Numbers and identifiers
// stay whole, behind a nameMark.
func partsOf(s string) []string {
	var parts []string
	for word := range strings.FieldsSeq(s) {
		word = strings.Trim(word, "\"'`*_,;!?[]~#>|")
		if word = strings.TrimRight(word, ".:)"); strings.HasPrefix(word, "(") {
			word = strings.TrimLeft(word, "(")
		}
		if isIdentifier(word) {
			parts = append(parts, nameMark+lower(word))
			continue
		}
		parts = append(parts, strings.FieldsFunc(lower(word), func(r rune) bool {
			return r != '\'' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
		})...)
	}
	return parts
}

func (s *Statement) take(word string, denied bool, joint string) {
	t := term{word: word, group: groupOf(word), denied: denied, joint: joint}
	if i := slices.IndexFunc(s.words, func(have term) bool { return have.group == t.group && have.denied == t.denied }); i >= 0 && joint == "" {
		return
	}
	s.words = append(s.words, t)
}

// groupOf returns the group of a word: words of one group are the same.
func groupOf(word string) string {
	if utf8.RuneCountInString(word) < 3 {
		return word
	}
	stem := text.Stem(word)
	if group := synonyms.of(stem); group != "" {
		return group
	}
	return stem
}

// common holds the words that two lists share.
type common struct {
	left, right         []term
	pairs               [][2]int // indexes, in the order of the left side
	onlyLeft, onlyRight []term
	flips               int  // common words that one side denies
	opposites           int  // words of which the other side has the opposite
	directed            bool // both have a word that gives a direction
	compared            bool // both have a word that puts one thing before another
}

func match(left, right []term) common {
	c := common{left: left, right: right}
	used := make([]bool, len(right))
	find := func(same func(term) bool) int {
		for j, t := range right {
			if !used[j] && same(t) {
				return j
			}
		}
		return -1
	}
	var rest []int
	for i, t := range left {
		j := find(func(o term) bool { return o.group == t.group && o.denied == t.denied })
		if j < 0 {
			j = find(func(o term) bool { return o.group == t.group })
		}
		if j < 0 {
			rest = append(rest, i)
			continue
		}
		used[j] = true
		c.pairs = append(c.pairs, [2]int{i, j})
		if t.denied != right[j].denied {
			c.flips++
		}
	}
	for _, i := range rest {
		t := left[i]
		if j := find(func(o term) bool { return opposite(t.group, o.group) }); j >= 0 {
			used[j] = true
			c.opposites++
			continue
		}
		if j := find(func(o term) bool {
			return len(t.word) >= minSlipBytes && len(o.word) >= minSlipBytes && t.denied == o.denied && text.OneTypo(t.word, o.word)
		}); j >= 0 {
			used[j] = true
			c.pairs = append(c.pairs, [2]int{i, j})
			continue
		}
		c.onlyLeft = append(c.onlyLeft, t)
	}
	for j, t := range right {
		if !used[j] {
			c.onlyRight = append(c.onlyRight, t)
		}
	}
	for _, p := range c.pairs {
		a, b := left[p[0]].joint, right[p[1]].joint
		if a != b && opposite(a, b) {
			c.opposites++
		}
	}
	both := func(is func(joint string) bool) bool {
		joins := func(t term) bool { return is(t.joint) }
		return slices.ContainsFunc(left, joins) && slices.ContainsFunc(right, joins)
	}
	c.directed, c.compared = both(func(joint string) bool { return joint != "" }), both(comparing.has)
	slices.SortFunc(c.pairs, func(a, b [2]int) int { return a[0] - b[0] })
	return c
}

// minSlipBytes is the length from which a word may be a slip of another.
const minSlipBytes = 7

// same reports whether one side says all that the other says, and not much more.
func (c common) same() bool {
	if len(c.onlyLeft) > 0 && len(c.onlyRight) > 0 || c.opposites > 0 {
		return false
	}
	if slices.ContainsFunc(slices.Concat(c.onlyLeft, c.onlyRight), func(t term) bool { return t.denied || t.joint != "" }) {
		return false
	}
	n := max(len(c.left), len(c.right))
	if len(c.onlyLeft)+len(c.onlyRight) == 0 {
		return n >= 2
	}
	return len(c.pairs) >= minSameWords && float64(len(c.pairs)) >= minSameShare*float64(n)
}

// contradicts reports whether the sides have the same words, one of which one side denies.
func (c common) contradicts() bool {
	shared := len(c.pairs) + c.opposites
	return c.flips+c.opposites == 1 && shared >= max(2, min(len(c.left), len(c.right))) && !c.turned()
}

// turned reports whether common words are in another order, which may change the meaning.
// Of five or more, one may have moved; without a directed word, the beginning may be at the
// end.
func (c common) turned() bool {
	n := len(c.pairs)
	order := make([]int, n)
	for i, p := range c.pairs {
		order[i] = p[1]
	}
	inOrder := n
	if n >= 5 {
		inOrder--
	}
	if increasing(order) >= inOrder {
		return false
	}
	for cut := 1; cut < n && !c.directed; cut++ {
		if increasing(slices.Concat(order[cut:], order[:cut])) >= inOrder {
			return false
		}
	}
	return true
}

// increasing returns the length of the longest increasing subsequence.
func increasing(values []int) int {
	var ends []int // the smallest last value for each length
	for _, v := range values {
		i, _ := slices.BinarySearch(ends, v)
		if i == len(ends) {
			ends = append(ends, v)
		} else {
			ends[i] = v
		}
	}
	return len(ends)
}
