package rank

import (
	"cmp"
	"slices"
)

// Fuse merges rankings, each with the best item first. An item scores 1/(60+rank) in each list that has it, and is
// ranked by the sum. Items with equal sums keep their order. No list may have an item twice.
func Fuse(lists ...[]string) []string {
	score := map[string]float64{}
	var all []string
	for _, list := range lists {
		for i, item := range list {
			if _, known := score[item]; !known {
				all = append(all, item)
			}
			score[item] += 1 / float64(fuseRank+i+1)
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(score[b], score[a]) })
	return all
}

// fuseRank damps the first ranks of a list: with 60, the first item of one list is ranked below an
// item that is tenth in both.
const fuseRank = 60
