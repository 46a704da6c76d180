package learning

import "maps"

// Relation is how two texts relate.
type Relation int

// The relations.
const (
	Different     Relation = iota // unrelated, judging by their words
	NearDuplicate                 // the same learning in other words
	Contradiction                 // one denies the other
)

func (r Relation) String() string {
	return [...]string{"different", "near-duplicate", "contradiction"}[r]
}

// Similar compares two descriptions. See Statement.Compare.
func Similar(a, b string) Relation { return Read(a).Compare(Read(b)) }

// Compare returns whether two statements are the same learning or deny each other.
//
// Near-duplicates have the same words, except for forms of a word, synonyms, a typing error
// and words without weight; one may say a little more, or give a reason. They differ if only
// one of them denies, restricts, doubts, numbers or names something by an identifier, or has
// another word of weight. Losing a learning is worse than keeping it twice: in doubt, they
// are different.
//
// Contradictions have the same words, but one denies them, or has the opposite of one of them
// (always, never; enable, disable; before, after), or two of them swapped around a
// preference or an order.
func (s *Statement) Compare(t *Statement) Relation {
	if s.folded == t.folded {
		return NearDuplicate
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
	if reasonOfOne && core.same() && len(core.pairs) == max(s.main, t.main) && len(core.pairs) >= minSameWords {
		return NearDuplicate
	}
	if whole.flips+whole.opposites == 0 && s.agree(t.limits) && whole.same() && !whole.turned() {
		return NearDuplicate
	}
	return Different
}
