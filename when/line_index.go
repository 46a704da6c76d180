package when

import (
	"math"
	"slices"

	"whence/internal/text"
)

// stems returns the different words of a text that carry evidence, by stem.
func stems(s string) []string {
	var stems []string
	for _, w := range text.Terms(s) {
		stems = append(stems, text.StemOf(w))
	}
	return uniqueStems([][]string{stems})
}

func uniqueStems(lists [][]string) []string {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return slices.Compact(all)
}

// lineIndex finds the entries that have a word.
type lineIndex struct {
	entries int
	words   map[string][]weighed
}

type weighed struct {
	entry  int
	weight float64
}

func newLineIndex(entries int) *lineIndex { return &lineIndex{entries, map[string][]weighed{}} }

func (x *lineIndex) add(stem string, entry int, weight float64) {
	x.words[stem] = append(x.words[stem], weighed{entry, weight})
}

// rarity returns the same weight as Suggest uses.
func (x *lineIndex) rarity(stem string) float64 {
	n := float64(len(x.words[stem]))
	return math.Log(1 + (float64(x.entries)-n+0.5)/(n+0.5))
}

// mass is the rarity of words together.
func (x *lineIndex) mass(stems []string) (mass float64) {
	for _, s := range stems {
		mass += x.rarity(s)
	}
	return mass
}

// spoken returns the share of a trigger that is in a text, 0 to 1.
func (x *lineIndex) spoken(trigger, text []string) float64 {
	in := slices.DeleteFunc(slices.Clone(trigger), func(s string) bool { return !slices.Contains(text, s) })
	return x.mass(in) / max(x.mass(trigger), math.SmallestNonzeroFloat64)
}

// asker asks an index many times, with the same memory. It is for one goroutine.
type asker struct {
	*lineIndex
	scores  []float64
	touched []int
}

func (x *lineIndex) asker() *asker { return &asker{lineIndex: x, scores: make([]float64, x.entries)} }

// answer is the score of an entry, and that of the best other one.
type answer struct {
	own, score float64
	other      int
}

// ask scores the entries by words, the rare ones more.
func (a *asker) ask(stems []string, self int) (best answer) {
	for _, s := range stems {
		rarity := a.rarity(s)
		for _, w := range a.words[s] {
			if a.scores[w.entry] == 0 {
				a.touched = append(a.touched, w.entry)
			}
			a.scores[w.entry] += w.weight * rarity
		}
	}
	for _, i := range a.touched {
		switch score := a.scores[i]; {
		case i == self:
			best.own = score
		case score > best.score || score == best.score && i < best.other:
			best.score, best.other = score, i
		}
		a.scores[i] = 0
	}
	a.touched = a.touched[:0]
	return best
}
