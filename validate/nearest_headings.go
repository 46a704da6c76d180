package validate

import (
	"cmp"
	"slices"

	"whence/internal/memory"
	"whence/internal/words"
)

// Nearest returns the semantic headings whose titles share words with a title (see [words.Overlap]): at least one, and
// at least a share of minOverlap. The nearest come first.
func Nearest(m *memory.Memory, title string, minOverlap float64) (near []*memory.Heading) {
	wanted := words.SetOf(title)
	overlap := map[*memory.Heading]float64{}
	for _, h := range m.Headings {
		if overlap[h] = words.Overlap(wanted, words.SetOf(h.Title)); h.Semantic() && overlap[h] > 0 && overlap[h] >= minOverlap {
			near = append(near, h)
		}
	}
	slices.SortStableFunc(near, func(x, y *memory.Heading) int { return cmp.Compare(overlap[y], overlap[x]) })
	return near
}
