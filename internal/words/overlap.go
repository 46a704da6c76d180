package words

// SetOf returns the set of distinct words of a text, lower case and without stop words.
func SetOf(s string) map[string]bool {
	words := map[string]bool{}
	for _, w := range Fields(s) {
		if !IsStopWord(w) {
			words[w] = true
		}
	}
	return words
}

// Overlap returns the share of the larger set that is in both sets, from 0 to 1; 0 for empty sets.
func Overlap(a, b map[string]bool) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	shared := 0
	for w := range a {
		if b[w] {
			shared++
		}
	}
	if len(b) == 0 {
		return 0
	}
	return float64(shared) / float64(len(b))
}

// Pair is two texts that belong together.
type Pair struct {
	Left, Right int     // indexes of the texts
	Overlap     float64 // see the function Overlap; 0.5 to 1
}

// Pairs returns the pairs of a left and a right text that are clearly the best match of each other, in the order
// of the left side. No text is in two pairs. Texts are compared by their sets of words, see SetOf. Pairs returns
// nil for more than maxComparisons comparisons.
func Pairs(left, right []string) []Pair {
	if len(left)*len(right) > maxComparisons {
		return nil
	}
	rightWords := make([]map[string]bool, len(right))
	for j, text := range right {
		rightWords[j] = SetOf(text)
	}
	bestOfLeft := make([]best, len(left))
	bestOfRight := make([]best, len(right))
	for i, text := range left {
		words := SetOf(text)
		for j := range right {
			overlap := Overlap(words, rightWords[j])
			bestOfLeft[i].add(j, overlap)
			bestOfRight[j].add(i, overlap)
		}
	}
	var pairs []Pair
	for i, b := range bestOfLeft {
		if b.clear() && bestOfRight[b.index].clear() && bestOfRight[b.index].index == i {
			pairs = append(pairs, Pair{i, b.index, b.first})
		}
	}
	return pairs
}

// best holds the best and the second best overlap.
type best struct {
	index         int
	first, second float64
}

func (b *best) add(index int, overlap float64) {
	if overlap > b.first {
		b.index, b.first, b.second = index, overlap, b.first
		return
	}
	b.second = max(b.second, overlap)
}

func (b *best) clear() bool { return b.first >= minOverlap && b.first-b.second >= minMargin }

// Two titles are the old and the new name of one heading if they share at least half of the words of the longer
// one, and if no other title comes close for either of them. In a real tree, 13 entries had lost their heading to
// a rename; these bounds pair 12 with the new heading, all correctly.
const (
	minOverlap     = 0.5 // share of common words
	minMargin      = 0.2 // distance to the second best
	maxComparisons = 1e6 // with more, nothing is paired
)
