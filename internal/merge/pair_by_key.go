package merge

// Match pairs the pieces of two versions of a text.
type Match struct {
	Left, Right     []Piece
	ToRight, ToLeft []int // the index of the pair in the other version; negative without a pair
	// Added reports whether both versions are sides, so that pieces in neither pair were added.
	Added bool
}

// pairedElsewhere marks a piece that is paired with one of a third version, and none of this one.
const pairedElsewhere = -2

func newMatch(left, right []Piece) *Match {
	m := &Match{Left: left, Right: right, ToRight: make([]int, len(left)), ToLeft: make([]int, len(right))}
	for _, list := range [][]int{m.ToRight, m.ToLeft} {
		for i := range list {
			list[i] = -1
		}
	}
	return m
}

// Pair pairs two pieces.
func (m *Match) Pair(left, right int) { m.ToRight[left], m.ToLeft[right] = right, left }

// KeyFunc returns the key of a piece. It may contain names of other pieces: name returns the
// same number for pieces that are paired, and a negative one for a piece of the right without a
// pair.
type KeyFunc func(pieces []Piece, i int, name func(i int) int) string

// By pairs pieces that have the same key, if no other piece without a pair has it in the same
// version. An empty key pairs nothing.
func (m *Match) By(key KeyFunc) {
	left := unique(m.ToRight, func(i int) string { return key(m.Left, i, nameLeft) })
	for k, r := range unique(m.ToLeft, func(i int) string { return key(m.Right, i, m.nameRight) }) {
		if l, known := left[k]; known && l >= 0 && r >= 0 {
			m.Pair(l, r)
		}
	}
}

// ByKey pairs pieces by their keys with an index, as By does. A piece may have fewer keys.
func (m *Match) ByKey(n int) {
	m.By(func(pieces []Piece, i int, _ func(int) int) string {
		if n < len(pieces[i].Keys) {
			return pieces[i].Keys[n]
		}
		return ""
	})
}

func nameLeft(i int) int             { return i }
func (m *Match) nameRight(i int) int { return m.ToLeft[i] }

// SameKey reports whether a piece of each version have the same key.
func (m *Match) SameKey(left, right int, key KeyFunc) bool {
	return key(m.Left, left, nameLeft) == key(m.Right, right, m.nameRight)
}

// unique maps the keys of pieces without a pair to their indexes, or to -1 if several have one key.
func unique(pairs []int, key func(i int) string) map[string]int {
	found := map[string]int{}
	for i, pair := range pairs {
		if pair != -1 {
			continue
		}
		k := key(i)
		if _, twice := found[k]; twice {
			found[k] = -1
		} else if k != "" {
			found[k] = i
		}
	}
	return found
}

// number gives the pieces of base, ours and theirs numbers from 1: paired pieces have the same.
func number(base, ours, theirs []Piece, pair func(m *Match)) (ids [3][]int) {
	baseToOurs, baseToTheirs, oursToTheirs := newMatch(base, ours), newMatch(base, theirs), newMatch(ours, theirs)
	pair(baseToOurs)
	pair(baseToTheirs)
	for i := range base {
		o, t := baseToOurs.ToRight[i], baseToTheirs.ToRight[i]
		switch {
		case o >= 0 && t >= 0:
			oursToTheirs.Pair(o, t)
		case o >= 0:
			oursToTheirs.ToRight[o] = pairedElsewhere
		case t >= 0:
			oursToTheirs.ToLeft[t] = pairedElsewhere
		}
	}
	oursToTheirs.Added = true
	pair(oursToTheirs)
	next := 0
	assign := func(pieces []Piece, known func(i int) (id int)) []int {
		numbers := make([]int, len(pieces))
		for i := range numbers {
			if numbers[i] = known(i); numbers[i] == 0 {
				next++
				numbers[i] = next
			}
		}
		return numbers
	}
	numberOf := func(numbers []int, i int) int {
		if i < 0 {
			return 0
		}
		return numbers[i]
	}
	ids[old] = assign(base, func(int) int { return 0 })
	ids[our] = assign(ours, func(i int) int { return numberOf(ids[old], baseToOurs.ToLeft[i]) })
	ids[their] = assign(theirs, func(i int) int {
		return max(numberOf(ids[old], baseToTheirs.ToLeft[i]), numberOf(ids[our], oursToTheirs.ToLeft[i]))
	})
	return ids
}
