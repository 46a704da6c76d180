package eval

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// What the predecessor's matcher gave for letters and took for gaps.
const (
	letterScore     = 16.0
	adjacentScore   = 4.0
	afterBlankScore = 10.0
	afterMarkScore  = 9.0 // after one of / - _
	gapStart        = 3.0
	gapLetter       = 1.0
	commonWordScore = 0.5
	minLetterScore  = 50.0 // for a query of one letter that is not a word of the candidate
)

// Letters returns the score of the predecessor's matcher, rebuilt from its description: the
// letters of the query must be in the candidate, in this order; each scores, more after
// another one or at the start of a word, and the first one double; gaps cost. 0 means no
// match. It is here for its weakness: an additional word, another order of the words or most
// slips prevent a match, and letters strewn over any long text match.
func Letters(query, candidate string) float64 {
	q, c := []rune(strings.ToLower(query)), []rune(strings.ToLower(candidate))
	if len(q) == 0 || len(q) > len(c) || !isSubsequence(q, c) {
		return 0
	}
	impossible := math.Inf(-1)
	best := make([][]float64, len(q)) // with letter i of the query at index j
	from := make([][]int, len(q))     // the place of the letter before
	for i := range q {
		best[i], from[i] = make([]float64, len(c)), make([]int, len(c))
		behind, at := impossible, -1 // the best of the letter before, left of j
		for j := range c {
			best[i][j] = impossible
			if i > 0 && j > 0 && best[i-1][j-1] >= behind {
				behind, at = best[i-1][j-1], j-1
			}
			if q[i] != c[j] {
				continue
			}
			score := letterScore
			if i == 0 {
				score *= 2
			}
			score += startScore(c, j)
			if i == 0 {
				best[i][j], from[i][j] = score, -1
				continue
			}
			best[i][j], from[i][j] = behind+score, at
			if adjacent := best[i-1][max(j-1, 0)] + score + adjacentScore; j > 0 && adjacent >= best[i][j] {
				best[i][j], from[i][j] = adjacent, j-1
			}
		}
	}
	last := len(q) - 1
	end := 0
	for j, score := range best[last] {
		if score > best[last][end] {
			end = j
		}
	}
	score := best[last][end]
	for i, j := last, end; i > 0; i-- {
		if gap := j - from[i][j] - 1; gap > 0 {
			score -= gapStart + gapLetter*float64(gap)
		}
		j = from[i][j]
	}
	common := commonWords(string(q), string(c))
	if len(q) == 1 && common == 0 && score < minLetterScore {
		return 0
	}
	return max(0, score+commonWordScore*float64(common))
}

func isSubsequence(q, c []rune) bool {
	for _, r := range c {
		if len(q) > 0 && q[0] == r {
			q = q[1:]
		}
	}
	return len(q) == 0
}

// startScore returns the score of a letter after a space or a mark.
func startScore(c []rune, at int) float64 {
	switch {
	case at == 0:
		return 0
	case unicode.IsSpace(c[at-1]):
		return afterBlankScore
	case strings.ContainsRune("/-_", c[at-1]):
		return afterMarkScore
	}
	return 0
}

func commonWords(a, b string) (n int) {
	in := strings.Fields(b)
	for _, word := range slices.Compact(slices.Sorted(slices.Values(strings.Fields(a)))) {
		if slices.Contains(in, word) {
			n++
		}
	}
	return n
}

// RankLetters are the candidates that match, by their numbers, best first; of equal ones
// the first.
func RankLetters(query string, candidates []string) []int {
	scores := make([]float64, len(candidates))
	var order []int
	for i, c := range candidates {
		if scores[i] = Letters(query, c); scores[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order
}
