package eval_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"whence/internal/test/eval"
)

// What is shown, as in package dispatch.
const (
	pointerP   = 0.11
	actionP    = 0.15
	textP      = 0.75
	maxPointer = 5
)

// evalPointers measures what an agent is shown, which is the success of the whole: of the moments to
// which a decision applies, those in which one that does is put before it. The gate is fitted on the other
// memory, so the figures are those of a memory that nobody has tuned on.
func evalPointers(t *testing.T) (figures []eval.Figure) {
	unrelated := unrelatedActions(t)
	for _, of := range []struct {
		name, other  memoryName
		v            variant
		latent       bool
		reached      float64 // aims
		linesWithout float64
	}{
		{commands, conventions, variant{8, 1}, true, 0.80, 0.5},
		{conventions, commands, variant{16, 1}, true, 0.88, 0.5},
		{conventions, commands, variant{8, 1}, true, 0, 0},
		{commands, conventions, variant{0, 1}, true, 0.48, 0.7},
		{conventions, commands, variant{0, 1}, true, 0.60, 0.7},
		{commands, conventions, variant{8, 1}, false, 0, 0},
		{conventions, commands, variant{16, 1}, false, 0, 0},
		{commands, conventions, variant{0, 1}, false, 0, 0},
		{conventions, commands, variant{0, 1}, false, 0, 0},
	} {
		l := fitted(judgedVariants(t, of.other, of.latent, unrelated[:len(unrelated)/2]))
		x, documents, moments := indexVariant(t, of.name, of.v, of.latent)
		s := shownFor(judge(t, x, documents, moments), l)
		u := shownFor(judge(t, x, documents, unrelatedMoments(unrelated[len(unrelated)/2:])), l)
		fmt.Fprintf(t.Output(), "unrelated %.2f\n", u.without/u.silent)
		fmt.Fprintf(t.Output(), "%s, %d situations, latent %v: %s\n", of.name, of.v.situations, of.latent, s)
	}
	return figures
}

// shown are sums over moments.
type shown struct {
	at3, at10              float64
	moments, reached, with float64 // with a decision
	silent, without        float64 // without one
	texts, right, wrong    float64
	kinds                  map[string]*[2]float64
}

func shownFor(all []judged, l eval.Logistic) shown {
	s := shown{kinds: map[string]*[2]float64{}}
	for _, j := range all {
		type line struct {
			p       float64
			applies bool
		}
		var lines []line
		for _, r := range j.rows {
			lines = append(lines, line{l.Probability(r.Features), r.Positive})
		}
		slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(b.p, a.p) })
		for i, l := range lines {
			if l.applies && i < 3 {
				s.at3 += 1 / float64(j.gold)
			}
			if l.applies && i < 10 {
				s.at10 += 1 / float64(j.gold)
			}
		}
		minP := pointerP
		if j.Kind == "bash" || j.Kind == "read" || j.Kind == unrelatedKind {
			minP = actionP
		}
		pointers := lines[:min(len(lines), maxPointer)]
		pointers = slices.DeleteFunc(slices.Clone(pointers), func(l line) bool { return l.p < minP })
		reached := count(slices.ContainsFunc(pointers, func(l line) bool { return l.applies }))
		if j.Kind != "bash" && j.Kind != "read" && len(lines) > 0 && lines[0].p >= textP {
			s.texts++
			s.right += count(lines[0].applies)
			s.wrong += count(j.gold == 0)
		}
		if j.gold == 0 {
			s.silent++
			s.without += float64(len(pointers))
			continue
		}
		s.moments++
		s.reached += reached
		s.with += float64(len(pointers))
		if s.kinds[j.Kind] == nil {
			s.kinds[j.Kind] = &[2]float64{}
		}
		s.kinds[j.Kind][0] += reached
		s.kinds[j.Kind][1]++
	}
	return s
}

func (s shown) String() string {
	out := fmt.Sprintf("@3 %.3f @10 %.3f reached %.3f, lines with %.2f without %.2f; texts %.0f right %.2f wrong %.3f;", s.at3/s.moments, s.at10/s.moments,
		s.reached/s.moments, s.with/s.moments, s.without/s.silent, s.texts, s.right/s.texts, s.wrong/s.silent)
	for _, kind := range []string{"prompt", "bash", "failure", "read"} {
		out += fmt.Sprintf(" %s %.2f", kind, s.kinds[kind][0]/s.kinds[kind][1])
	}
	return out
}

func TestPointers(t *testing.T) { evalPointers(t) }
