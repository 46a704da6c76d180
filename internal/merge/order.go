package merge

import "slices"

// placed is an item of a merged list.
type placed struct {
	id   int
	side side
}

// side says which sides have an item in a place. One that both have moved to different places
// is in two.
type side int

const (
	both side = iota
	onlyOurs
	onlyTheirs
)

// order merges three orders of a list. Ours and theirs hold only items of the result, and
// together all of them. What neither side has moved keeps its order; everything else stays
// behind what it is behind on the side that has put it there, ours before theirs. Items of split
// are elsewhere on the other side.
func order(base, ours, theirs []int, weight func(id int) int, split map[int]bool) []placed {
	o := &orders{ours: position(ours), theirs: position(theirs), where: map[int]placed{}, behind: map[placed]placed{}}
	byOurs, byTheirs := moved(base, ours, weight), moved(base, theirs, weight)
	shared := slices.DeleteFunc(slices.Clone(ours), func(id int) bool {
		_, has := o.theirs[id]
		return !has || byOurs[id] || byTheirs[id]
	})
	steady := heaviestRun(shared, o.theirs, weight)
	for _, id := range steady {
		o.where[id] = placed{id, both}
	}
	o.steady = position(steady)
	ourAnchors, theirAnchors := anchors(ours, o.steady), anchors(theirs, o.steady)
	var mine, other []placed
	for _, id := range ours {
		_, shared := o.theirs[id]
		switch _, steady := o.steady[id]; {
		case steady || shared && byTheirs[id] && !byOurs[id]:
		case split[id] || shared && byTheirs[id] && ourAnchors[id] != theirAnchors[id]:
			mine = append(mine, placed{id, onlyOurs})
		default:
			mine = append(mine, placed{id, both})
		}
	}
	o.place(mine)
	for _, id := range theirs {
		first, there := o.where[id]
		switch {
		case there && first.side == onlyOurs || split[id]:
			other = append(other, placed{id, onlyTheirs})
		case !there:
			other = append(other, placed{id, both})
		}
	}
	o.place(other)
	o.attach(mine, other, ours, o.ours)
	o.attach(other, mine, theirs, o.theirs)
	o.join(mine, other, ours, o.ours, o.theirs)
	o.join(other, mine, theirs, o.theirs, o.ours)
	o.open(other, theirAnchors)
	return o.list(steady, slices.Concat(mine, other))
}

// orders is one call of order.
type orders struct {
	ours, theirs, steady map[int]int       // positions
	where                map[int]placed    // the place of an item, the first of two
	behind               map[placed]placed // what an item is put behind
}

func position(ids []int) map[int]int {
	at := make(map[int]int, len(ids))
	for i, id := range ids {
		at[id] = i
	}
	return at
}

// moved are the items of both lists that are not in the heaviest run that keeps its order.
func moved(before, after []int, weight func(int) int) map[int]bool {
	at, out := position(before), map[int]bool{}
	shared := slices.DeleteFunc(slices.Clone(after), func(id int) bool { _, has := at[id]; return !has })
	for _, id := range shared {
		out[id] = true
	}
	for _, id := range heaviestRun(shared, at, weight) {
		delete(out, id)
	}
	return out
}

// anchors maps each item of a list to the last steady one before it, or 0.
func anchors(list []int, steady map[int]int) map[int]int {
	found := make(map[int]int, len(list))
	last := 0
	for _, id := range list {
		found[id] = last
		if _, is := steady[id]; is {
			last = id
		}
	}
	return found
}

// neighbours returns, for each position of a list, those of the nearest items before and after
// it that count: -1 and len(list) if there are none.
func neighbours(list []int, counts func(id int) bool) (before, after []int) {
	before, after = make([]int, len(list)), make([]int, len(list))
	last := -1
	for i, id := range list {
		before[i] = last
		if counts(id) {
			last = i
		}
	}
	last = len(list)
	for i := len(list) - 1; i >= 0; i-- {
		after[i] = last
		if counts(list[i]) {
			last = i
		}
	}
	return before, after
}

func (o *orders) place(items []placed) {
	for _, p := range items {
		if _, there := o.where[p.id]; !there {
			o.where[p.id] = p
		}
	}
}

// attach puts items of one side behind those that they are behind in its list. What the other
// side has placed does not count: its new place may be below another heading.
func (o *orders) attach(items, others []placed, list []int, at map[int]int) {
	byOther := ids(others)
	before, _ := neighbours(list, func(id int) bool { return !byOther[id] })
	for _, p := range items {
		if i := before[at[p.id]]; i >= 0 {
			o.behind[p] = o.where[list[i]]
		}
	}
}

// join puts items of one side between two that the other side has moved together.
func (o *orders) join(items, others []placed, list []int, at, otherAt map[int]int) {
	byOther := ids(others)
	befores, nexts := neighbours(list, o.shared)
	for _, p := range items {
		before, next := befores[at[p.id]], nexts[at[p.id]]
		if before >= 0 && next < len(list) && byOther[list[before]] && byOther[list[next]] && otherAt[list[next]] == otherAt[list[before]]+1 {
			o.behind[p] = o.where[list[at[p.id]-1]]
			o.behind[o.where[list[next]]] = p
		}
	}
}

func ids(items []placed) map[int]bool {
	all := make(map[int]bool, len(items))
	for _, p := range items {
		all[p.id] = true
	}
	return all
}

// shared reports whether both sides have an item.
func (o *orders) shared(id int) bool {
	_, ours := o.ours[id]
	_, theirs := o.theirs[id]
	return ours && theirs
}

// open puts items that are behind each other in a circle, of which these are a part, behind the
// last steady one before them.
func (o *orders) open(items []placed, anchors map[int]int) {
	inList, done := map[placed]bool{}, map[placed]bool{{}: true}
	for _, p := range items {
		inList[p] = true
	}
	for _, p := range items {
		var path []placed
		on := map[placed]bool{}
		for q := p; !done[q]; q = o.behind[q] {
			if on[q] {
				for !inList[q] {
					q = o.behind[q]
				}
				o.behind[q] = o.where[anchors[q.id]]
				break
			}
			on[q] = true
			path = append(path, q)
		}
		for _, q := range path {
			done[q] = true
		}
	}
}

// list writes the steady items in order, each with all that is behind it.
func (o *orders) list(steady []int, items []placed) (out []placed) {
	followers := map[placed][]placed{}
	for _, p := range items {
		followers[o.behind[p]] = append(followers[o.behind[p]], p)
	}
	var follow func(p placed)
	follow = func(p placed) {
		for _, next := range followers[p] {
			out = append(out, next)
			follow(next)
		}
	}
	follow(placed{})
	for _, id := range steady {
		out = append(out, o.where[id])
		follow(o.where[id])
	}
	return out
}

// heaviestRun returns the items, in their order, of a subsequence with rising positions whose
// weights have the greatest sum. Every item has a position of its own. It takes n log n steps.
func heaviestRun(ids []int, at map[int]int, weight func(id int) int) []int {
	sorted := slices.Clone(ids)
	slices.SortFunc(sorted, func(a, b int) int { return at[a] - at[b] })
	rank := position(sorted)
	sum, before := make([]int, len(ids)), make([]int, len(ids))
	heavier := func(a, b int) bool { return a >= 0 && (b < 0 || sum[a] > sum[b]) }
	best := make([]int, len(ids)+1) // a Fenwick tree: by ranks, the last item of the heaviest run
	for i := range best {
		best[i] = -1
	}
	end := -1
	for i, id := range ids {
		last := -1
		for r := rank[id]; r > 0; r -= r & -r {
			if heavier(best[r], last) {
				last = best[r]
			}
		}
		before[i], sum[i] = last, weight(id)
		if last >= 0 {
			sum[i] += sum[last]
		}
		for r := rank[id] + 1; r <= len(ids); r += r & -r {
			if heavier(i, best[r]) {
				best[r] = i
			}
		}
		if heavier(i, end) {
			end = i
		}
	}
	var run []int
	for ; end >= 0; end = before[end] {
		run = append(run, ids[end])
	}
	slices.Reverse(run)
	return run
}
