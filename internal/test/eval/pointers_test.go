package eval_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"whence/internal/dispatch"
	"whence/internal/rank"
	"whence/internal/test/repotest"
)

// evalPointers measures what an agent is shown, which is the success of the whole: of the moments to
// which a decision applies, those in which one that does is put before it. The gate is fitted on the
// other memory, and on other unrelated work, so it has not seen the memory that it is judged on. The
// baseline of a search engine shows its first five.
func evalPointers(t *testing.T) (figures []figure) {
	unrelated := unrelatedActions(t)
	half := len(unrelated) / 2
	for i, of := range []struct {
		name, other      memoryName
		situations       int
		reached, without float64 // aims
	}{
		{commands, conventions, 8, 0.80, 1.5},
		{conventions, commands, 16, 0.88, 1.5},
		{commands, conventions, 0, 0.48, 1.5},
		{conventions, commands, 0, 0.60, 1.5},
	} {
		if i > 0 && !repotest.Long() {
			break // make eval runs the others
		}
		v := variant{of.situations, 1}
		gate := fitted(slices.Concat(judgedVariants(t, of.other, unrelated[:half]), judgedLanguages(t)))
		m := openMemory(t, of.name, of.situations)
		s := shownAt(judge(t, of.name, v, m.moments), gate)
		other := shownAt(judge(t, of.name, v, unrelatedMoments(unrelated[half:])), gate)
		name := fmt.Sprintf("pointers, %s, %d situations", of.name, of.situations)
		fmt.Fprintf(t.Output(), "%s: %s; %.2f lines at unrelated work\n", name, s, other.lines/float64(other.silent))

		full := s.fullText(t, m)
		add := func(measure string, value, fullText float64, questions int, smaller bool, aim float64) {
			figures = append(figures, figure{
				Evaluation: name, Measure: measure, Value: value, FullText: fullText, Questions: questions, Smaller: smaller, Aim: aim,
			})
		}
		add("of what applies, among the first 3", s.share(s.at3), full.share(full.at3), s.moments, false, 0)
		add("of what applies, among the first 10", s.share(s.at10), full.share(full.at10), s.moments, false, 0)
		add("one that applies is among the first 5", s.share(s.at5), math.NaN(), s.moments, false, 0)
		add("what applies is shown", s.share(s.reached), full.share(full.reached), s.moments, false, of.reached)
		add("lines of five where nothing applies", s.lines/float64(s.silent)/5, full.lines/float64(full.silent)/5, s.silent, true, of.without/5)
		add("lines of five at unrelated work", other.lines/float64(other.silent)/5, math.NaN(), other.silent, true, 0)
		small := shownAt(judge(t, of.name, variant{of.situations, smallParts}, m.moments), gate)
		fmt.Fprintf(t.Output(), "%s, in parts of 30 to 40: %s\n", name, small)
		add("in parts of 30 to 40, what applies is shown", small.share(small.reached), math.NaN(), small.moments, false, 0)
		add("in parts of 30 to 40, lines of five where nothing applies", small.lines/float64(small.silent)/5, math.NaN(), small.silent, true, 0)
		if of.situations == 0 {
			continue
		}
		for _, kind := range []string{"prompt", "bash", "failure", "read"} {
			k := s.kinds[kind]
			add("what applies is shown: "+kind, k.reached/float64(k.moments), full.kinds[kind].reached/float64(k.moments), k.moments, false, 0.70)
		}
	}
	return figures
}

// smallParts is the number of parts of a memory that are memories as young projects have them.
const smallParts = 9

// shown are sums over moments.
type shown struct {
	all                     []judged
	moments, silent         int     // with a decision that applies, and without one
	at3, at5, at10, reached float64 // over the moments with one
	linesWith, lines        float64 // with and without one
	kinds                   map[string]*reachedOf
}

type reachedOf struct {
	moments int
	reached float64
}

// share returns a sum as a share of the moments with a decision.
func (s *shown) share(sum float64) float64 { return sum / float64(s.moments) }

// candidate is a decision with its probability.
type candidate struct {
	p       float64
	applies bool
}

// shownAt sums what hooks show at moments with a gate.
func shownAt(all []judged, gate logistic) *shown {
	s := &shown{all: all, kinds: map[string]*reachedOf{}}
	for _, j := range all {
		ordered := slices.Clone(j.found)
		applies := map[int]bool{} // by document
		for i, m := range ordered {
			ordered[i].P, applies[m.Document] = gate.probability(m.Features[:]), j.right[i]
		}
		rank.Sort(ordered)
		var ranked []candidate
		for _, m := range ordered {
			ranked = append(ranked, candidate{m.P, applies[m.Document]})
		}
		limits := dispatch.PromptLimits
		if j.Kind == "bash" || j.Kind == "read" || j.Kind == unrelatedKind {
			limits = dispatch.ActionLimits
		}
		s.add(j, ranked, limits)
	}
	return s
}

// add counts what is shown at a moment.
func (s *shown) add(j judged, ranked []candidate, limits dispatch.Limits) {
	lines, reached, isNear := 0.0, false, false
	for i, c := range ranked {
		isNear = isNear || c.applies && i < limits.Items
		if c.applies && i < 3 {
			s.at3 += 1 / float64(j.gold)
		}
		if c.applies && i < 10 {
			s.at10 += 1 / float64(j.gold)
		}
		if i < limits.Items && c.p >= limits.Decision {
			lines++
			reached = reached || c.applies
		}
	}
	if j.gold == 0 {
		s.silent++
		s.lines += lines
		return
	}
	if s.kinds[j.Kind] == nil {
		s.kinds[j.Kind] = &reachedOf{}
	}
	s.moments++
	s.at5 += count(isNear)
	s.reached += count(reached)
	s.linesWith += lines
	s.kinds[j.Kind].moments++
	s.kinds[j.Kind].reached += count(reached)
}

// fullText sums what a search engine shows at the same moments.
func (s *shown) fullText(t *testing.T, m memory) *shown {
	triggers, texts := textsOf(t, m.tree)
	full, sums := newFullText(t, texts), &shown{kinds: map[string]*reachedOf{}}
	for _, j := range s.all {
		var ranked []candidate
		for _, i := range full.rank(t, seenByHook(j.moment), 10) {
			ranked = append(ranked, candidate{1, slices.Contains(j.Gold, triggers[i])})
		}
		sums.add(j, ranked, dispatch.PromptLimits)
	}
	return sums
}

func (s *shown) String() string {
	var kinds strings.Builder
	for _, kind := range []string{"prompt", "bash", "failure", "read"} {
		if k := s.kinds[kind]; k != nil {
			fmt.Fprintf(&kinds, " %s %.2f", kind, k.reached/float64(k.moments))
		}
	}
	return fmt.Sprintf("first 3 %.3f, one in 5 %.3f, first 10 %.3f, reached %.3f (%s ), lines %.2f with and %.2f without",
		s.share(s.at3), s.share(s.at5), s.share(s.at10), s.share(s.reached), kinds.String(), s.share(s.linesWith), s.lines/float64(max(1, s.silent)))
}
