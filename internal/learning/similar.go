package learning

import "maps"

// Relation is what two texts are to each other.
type Relation int

// The relations.
const (
	Different     Relation = iota // nothing, as far as words tell
	NearDuplicate                 // the same learning in other words
	Contradiction                 // one denies the other
)

func (r Relation) String() string {
	return [...]string{"different", "near-duplicate", "contradiction"}[r]
}

// Similar compares two descriptions. See Statement.Compare.
func Similar(a, b string) Relation { return Read(a).Compare(Read(b)) }

// Compare tells whether two statements are the same learning, or deny each other.
//
// Near-duplicates have the same words, but for forms of a word, synonyms, a slip of the
// fingers, words without weight and their order; one may say a little more than the other,
// or give the reason that the other keeps to itself. What only one of them denies,
// restricts, doubts, numbers or names by an identifier makes them different, and so does
// a word of weight in the place of another. To lose a learning is worse than to keep it
// twice: in doubt, they are different.
//
// Contradictions say of the same words that one denies them and the other does not, or
// that one has the opposite of a word of the other (always, never; enable, disable;
// before, after), or they have two words on other sides of a preference or an order.
func (s *Statement) Compare(t *Statement) Relation {
	if s.folded == t.folded {
		return NearDuplicate
	}
	if len(s.words) == 0 || len(t.words) == 0 || !s.mayRelate(t) {
		return Different
	}
	whole := match(s.words, t.words)
	core := whole
	if s.main < len(s.words) || t.main < len(t.words) {
		core = match(s.words[:s.main], t.words[:t.main])
	}
	if core.contradicts() && maps.Equal(s.core.names, t.core.names) && maps.Equal(s.core.doubts, t.core.doubts) {
		return Contradiction
	}
	if core.flips+core.opposites > 0 || !maps.Equal(s.names, t.names) || !s.core.agree(t.core) {
		return Different
	}
	if core.turned() {
		if core.compared && len(core.onlyLeft)+len(core.onlyRight) == 0 {
			return Contradiction
		}
		return Different
	}
	reasonOfOne := s.main == len(s.words) || t.main == len(t.words)
	if reasonOfOne && core.same() && len(core.pairs) == max(s.main, t.main) && len(core.pairs) >= leastSame {
		return NearDuplicate
	}
	if whole.flips+whole.opposites == 0 && s.agree(t.limits) && whole.same() && !whole.turned() {
		return NearDuplicate
	}
	return Different
}

// mayRelate tells at once, for most statements, that they have too little in common.
func (s *Statement) mayRelate(t *Statement) bool {
	small, large := s, t
	if len(small.groups) > len(large.groups) {
		small, large = large, small
	}
	shared := 0
	for g := range small.groups {
		if large.groups[g] {
			shared++
		}
	}
	// an opposite or a slip of the fingers may stand for a word
	return shared >= 1 && 2*(shared+1) >= min(small.main, large.main)
}
