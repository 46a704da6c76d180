package learning

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"whence/internal/rank"
)

// Statement is a text read for comparison. It may be compared with many others.
type Statement struct {
	folded    string
	words     []term          // of weight, in order, a condition in front moved behind
	main      int             // how many of them stand before the reason
	groups    map[string]bool // of the words
	names     map[string]bool // numbers and identifiers
	mainNames map[string]bool // those before the reason
	doubts    map[string]bool // words that restrict or weaken
	denials   int             // words that deny
}

// term is a word of weight.
type term struct {
	word   string // lower case
	group  string // stem, or the first of its synonyms
	denied bool
	joint  string // the directed word that stands before it, or ""
}

// Read reads a text for comparison.
func Read(text string) *Statement {
	s := &Statement{folded: Folded(text), groups: map[string]bool{}, names: map[string]bool{}, mainNames: map[string]bool{}, doubts: map[string]bool{}}
	clean := plainQuotes(prose(text))
	first, rest := firstSentence(clean)
	main, why := splitReason(withoutLeadIn(first))
	s.add(reordered(main))
	s.main = len(s.words)
	for name := range s.names {
		s.mainNames[name] = true
	}
	s.add(why)
	if rest != "" {
		s.add(rest)
		// More sentences belong to what is said, unless they are all reason.
		if why == "" && len(s.words) > 2*s.main {
			s.main = len(s.words)
			s.mainNames = s.names
		}
	}
	return s
}

// reordered moves a condition in front behind what it belongs to: "before X, Y"
// becomes "Y before X".
func reordered(sentence string) string {
	if !conditions[strings.ToLower(firstWord(sentence))] {
		return sentence
	}
	before, after, found := strings.Cut(sentence, ", ")
	if !found || !hasWords(after, 2) {
		return sentence
	}
	return strings.TrimRight(withoutLeadIn(after), ".!?;") + " " + before
}

// add reads words.
func (s *Statement) add(text string) {
	denied, joint, previous := false, "", ""
	for word := range strings.FieldsSeq(text) {
		word = strings.Trim(word, "\"'`*_,;!?[]")
		if word = strings.TrimRight(word, ".:)"); strings.HasPrefix(word, "(") {
			word = strings.TrimLeft(word, "(")
		}
		if isIdentifier(word) {
			name := lower(word)
			s.names[name] = true
			denied, joint, previous = false, "", name
			continue
		}
		low := lower(word)
		parts := strings.FieldsFunc(low, func(r rune) bool {
			return r != '\'' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
		})
		for _, part := range parts {
			switch {
			case part == "avoid" && (previous == "to" || previous == "and"), part == "avoids":
				s.take(part, denied, joint)
				denied, joint = false, ""
			case denies[part] || strings.HasSuffix(part, "n't"):
				s.denials++
				denied = !denied
				if part == "not" || part == "no" {
					joint = directedOr(part, joint)
				}
			case doubtful[part] != "":
				s.doubts[doubtful[part]] = true
			case directed[part] != "":
				joint = directed[part]
			case light[part] || rank.IsStopWord(part):
			default:
				s.take(part, denied, joint)
				denied, joint = false, ""
			}
			previous = part
		}
	}
}

func directedOr(part, joint string) string {
	if joint != "" {
		return joint
	}
	return part
}

func (s *Statement) take(word string, denied bool, joint string) {
	t := term{word: word, group: groupOf(word), denied: denied, joint: joint}
	s.groups[t.group] = true
	if i := slices.IndexFunc(s.words, func(have term) bool { return have.group == t.group && have.denied == t.denied }); i >= 0 && joint == "" {
		return
	}
	s.words = append(s.words, t)
}

// groupOf is what words are compared by.
func groupOf(word string) string {
	if utf8.RuneCountInString(word) < 3 {
		return word
	}
	stem := rank.Stem(word)
	if group := synonyms[stem]; group != "" {
		return group
	}
	return stem
}

// common is what two lists of words have in common.
type common struct {
	left, right         []term
	pairs               [][2]int // indexes, in the order of the left side
	onlyLeft, onlyRight []term
	flips               int  // common words that one side denies
	opposites           int  // words of which the other side has the opposite
	directed            bool // both have a word that gives a direction
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
			return len(t.word) >= leastSlip && len(o.word) >= leastSlip && t.denied == o.denied && rank.OneTypo(t.word, o.word)
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
	c.directed = hasJoint(left) && hasJoint(right)
	slices.SortFunc(c.pairs, func(a, b [2]int) int { return a[0] - b[0] })
	return c
}

// leastSlip is how long a word is at least that is taken for a slip of another.
const leastSlip = 7

func hasJoint(words []term) bool {
	return slices.ContainsFunc(words, func(t term) bool { return t.joint != "" })
}

func (c common) sharedWords() int { return len(c.pairs) }

// same tells whether one side says all that the other says, and not much more.
func (c common) same() bool {
	if len(c.onlyLeft) > 0 && len(c.onlyRight) > 0 || c.opposites > 0 {
		return false
	}
	for _, t := range append(slices.Clone(c.onlyLeft), c.onlyRight...) {
		if t.denied || t.joint != "" {
			return false
		}
	}
	n := max(len(c.left), len(c.right))
	if len(c.onlyLeft)+len(c.onlyRight) == 0 {
		return n >= 2
	}
	return len(c.pairs) >= leastSame && float64(len(c.pairs)) >= sameShare*float64(n)
}

// contradicts tells whether the sides have the same words but for what one denies.
func (c common) contradicts() bool {
	if c.flips+c.opposites != 1 || len(c.onlyLeft) > 0 && len(c.onlyRight) > 0 {
		return false
	}
	shared, smaller := len(c.pairs)+c.opposites, min(len(c.left), len(c.right))
	return shared >= 2 && float64(shared) >= coreShare*float64(smaller) && !c.turned()
}

// turned tells whether common words stand in another order, in a way that may change
// what is said. One word may have moved; without a directed word, the beginning may
// stand at the end.
func (c common) turned() bool {
	n := len(c.pairs)
	order := make([]int, n)
	for i, p := range c.pairs {
		order[i] = p[1]
	}
	least := n
	if n >= 5 {
		least--
	}
	if increasing(order) >= least {
		return false
	}
	if c.directed {
		return true
	}
	for cut := 1; cut < n; cut++ {
		if increasing(append(slices.Clone(order[cut:]), order[:cut]...)) >= least {
			return false
		}
	}
	return true
}

// increasing is the length of the longest rising subsequence.
func increasing(values []int) int {
	var ends []int // the least last value of one of each length
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

func sameNames(a, b map[string]bool) bool {
	if len(a) != len(b) {
		return false
	}
	for name := range a {
		if !b[name] {
			return false
		}
	}
	return true
}

func sameDoubts(s, t *Statement) bool { return sameNames(s.doubts, t.doubts) }
