package rank

// Pair is two texts that belong together.
type Pair struct {
	Left, Right int     // indexes of the texts
	Overlap     float64 // the share of words that they have in common, 0.5 to 1
}

// Pairs returns the texts of both sides that are clearly the best match of each other, in the
// order of the left side. No text is in two pairs. Words compare as in Words.
func Pairs(left, right []string) []Pair {
	if len(left)*len(right) > maxComparisons {
		return nil
	}
	rightWords := make([]map[string]bool, len(right))
	for j, text := range right {
		rightWords[j] = Words(text)
	}
	bestOfLeft := make([]best, len(left))
	bestOfRight := make([]best, len(right))
	for i, text := range left {
		words := Words(text)
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
	switch {
	case overlap > b.first:
		b.index, b.first, b.second = index, overlap, b.first
	case overlap > b.second:
		b.second = overlap
	}
}

func (b *best) clear() bool { return b.first >= minOverlap && b.first-b.second >= minMargin }
