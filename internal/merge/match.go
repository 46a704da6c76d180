package merge

// Match pairs the pieces of two versions, left and right, which are meant by their indexes.
type Match struct {
	Left, Right []int // the index in the other version; negative without a pair
}

// gone marks a piece that is paired with one of a third version, and with none of this one.
const gone = -2

func newMatch(left, right int) *Match {
	m := &Match{make([]int, left), make([]int, right)}
	for _, list := range [][]int{m.Left, m.Right} {
		for i := range list {
			list[i] = -1
		}
	}
	return m
}

// Pair pairs two pieces.
func (m *Match) Pair(left, right int) { m.Left[left], m.Right[right] = right, left }

// By pairs what has the same key, if no other piece of the same version that is without a pair
// has it. An empty key pairs nothing.
func (m *Match) By(left, right func(i int) string) {
	mine := unique(m.Left, left)
	for key, r := range unique(m.Right, right) {
		if l, known := mine[key]; known && l >= 0 && r >= 0 {
			m.Pair(l, r)
		}
	}
}

// unique are the pieces without a pair, by key; -1 if several have one key.
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

// Number gives the pieces of base, ours and theirs their IDs: the same for those that are
// paired. Sizes are the numbers of pieces; pair completes a match of two of the three versions.
func Number(sizes [3]int, pair func(m *Match, left, right int)) (ids [3][]int) {
	const base, ours, theirs = 0, 1, 2
	mine, other, added := newMatch(sizes[base], sizes[ours]), newMatch(sizes[base], sizes[theirs]), newMatch(sizes[ours], sizes[theirs])
	pair(mine, base, ours)
	pair(other, base, theirs)
	for i := range sizes[base] {
		o, t := mine.Left[i], other.Left[i]
		switch {
		case o >= 0 && t >= 0:
			added.Pair(o, t)
		case o >= 0:
			added.Left[o] = gone
		case t >= 0:
			added.Right[t] = gone
		}
	}
	pair(added, ours, theirs)
	for i, size := range sizes {
		ids[i] = make([]int, size)
	}
	next := 0
	number := func(version int, known func(i int) (id int)) {
		for i := range ids[version] {
			if ids[version][i] = known(i); ids[version][i] == 0 {
				next++
				ids[version][i] = next
			}
		}
	}
	of := func(pairs []int, i, version int) int {
		if pairs[i] >= 0 {
			return ids[version][pairs[i]]
		}
		return 0
	}
	number(base, func(int) int { return 0 })
	number(ours, func(i int) int { return of(mine.Right, i, base) })
	number(theirs, func(i int) int { return max(of(other.Right, i, base), of(added.Right, i, ours)) })
	return ids
}
