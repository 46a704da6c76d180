package eval_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/rank"
	"whence/internal/test/repotest"
	"whence/validate"
	"whence/when"
)

// commit is a change, and the records that its message names by number, which is cut out; often none.
type commit struct {
	Paths                   []string
	Added, Removed, Message string
	Gold                    []string
}

// ranked is what is found for a commit, the best first.
type ranked struct {
	gold  int
	found []rank.Match
	right []bool
}

// evalChanges measures whether the records that commits of two public repositories follow are found: with the table of the
// gate that was fitted on the other one, at the lowest probability that shows half a line at commits that name none. The
// baseline recalls message, paths and lines as if someone had typed them.
func evalChanges(t *testing.T) (figures []figure) {
	names := []string{"vmaf", "asdecided"}
	all, asPrompt := map[string][]ranked{}, map[string][]ranked{}
	for _, name := range names {
		all[name], asPrompt[name] = changesOf(t, name)
	}
	var both []ranked
	for i, name := range names {
		other := all[names[1-i]]
		both = append(both, other...)
		first, three, shown, _ := judgeChanges(refitted(all[name], fitChanges(other)))
		oldFirst, oldThree, oldShown, _ := judgeChanges(asPrompt[name])
		for _, f := range []struct {
			measure    string
			value, old float64
		}{{"a record that it follows is first", first, oldFirst}, {"among 3", three, oldThree}, {"shown, with half a line where none is named", shown, oldShown}} {
			figures = append(figures, figure{Evaluation: "changes, " + name, Measure: f.measure, Value: f.value, FullText: f.old, Questions: 60})
		}
	}
	fit := fitChanges(both)
	for _, name := range names {
		_, _, shown, p := judgeChanges(refitted(all[name], fit))
		fmt.Fprintf(t.Output(), "%s: fitted on both, %.3f %.3f: half a line from p %.3f, at which %.2f are shown; as built, %.2f lines\n", name,
			fit.coefficients, fit.constant, p, shown, linesAt(all[name], dispatch.ChangeLimits.Decision))
	}
	return figures
}

// changesOf recalls for the commits of a repository: as changes, and as if they were prompts. Of each
// message only the subject counts: nearly all messages of this set that name no record are no longer.
func changesOf(t *testing.T, name string) (all, asPrompt []ranked) {
	tree := fstest.MapFS{}
	for file, content := range repotest.MarkdownTree(t, repotest.Shared(t, "eval/commits/"+name+"/records")) {
		tree["records/"+file] = content
	}
	c := config.Default()
	c.Documents = []string{"records/*.md"}
	m, err := validate.Begin(tree, c)
	require.NoError(t, err)
	drafted, err := validate.FixMemory(m, c, true)
	require.NoError(t, err)
	for _, change := range drafted.Changes {
		tree[change.Path] = &fstest.MapFile{Data: change.After}
	}
	l, err := when.Open(tree, c)
	require.NoError(t, err)
	leads, x := l.Leads(), rank.NewIndex(l.Documents())
	for _, c := range repotest.JSONLines[commit](t, repotest.Shared(t, "eval/commits/"+name+"/commits.jsonl")) {
		judged := func(found []rank.Match) ranked {
			r := ranked{len(c.Gold), found, nil}
			for _, m := range found {
				r.right = append(r.right, slices.Contains(c.Gold, strings.TrimPrefix(leads[m.Document].File, "records/")))
			}
			return r
		}
		c.Message, _, _ = strings.Cut(c.Message, "\n")
		lines := c.Added
		if lines == "" {
			lines = c.Removed
		}
		all = append(all, judged(x.RecallChange(rank.Change{Message: c.Message, Paths: c.Paths, Lines: lines}, candidates)))
		asPrompt = append(asPrompt, judged(x.Recall(c.Message+"\n"+strings.Join(c.Paths, "\n")+"\n"+lines, candidates)))
	}
	return all, asPrompt
}

// fitChanges fits the gate of changes.
func fitChanges(all []ranked) logistic {
	var samples []sample
	for _, r := range all {
		for i, m := range r.found {
			samples = append(samples, sample{slices.Clone(m.Change[:]), r.right[i], 1})
		}
	}
	return fitLogistic(samples, ridge)
}

// refitted are the same matches as another gate has them.
func refitted(all []ranked, gate logistic) (again []ranked) {
	for _, r := range all {
		next, isRight := ranked{gold: r.gold, found: slices.Clone(r.found)}, map[int]bool{}
		for i := range next.found {
			m := &next.found[i]
			m.P, isRight[m.Document] = gate.probability(m.Change[:]), r.right[i]
		}
		rank.Sort(next.found)
		for _, m := range next.found {
			next.right = append(next.right, isRight[m.Document])
		}
		again = append(again, next)
	}
	return again
}

// judgeChanges returns how often a record that a commit follows is first, and among the first three, and is shown from the
// lowest probability at which commits that name none get half a line.
func judgeChanges(all []ranked) (first, three, shown, p float64) {
	followed, low, high := 0.0, 0.0, 1.0
	for high-low > 1e-6 {
		if p = (low + high) / 2; linesAt(all, p) > 0.5 {
			low = p
		} else {
			high = p
		}
	}
	for _, r := range all {
		if r.gold == 0 {
			continue
		}
		followed++
		if at := slices.Index(r.right, true); at >= 0 && at < dispatch.ChangeLimits.Items {
			first += count(at == 0)
			three++
			shown += count(r.found[at].P >= high)
		}
	}
	return first / followed, three / followed, shown / followed, high
}

// linesAt returns how many lines a commit that names no record gets, from a probability on.
func linesAt(all []ranked, p float64) (lines float64) {
	silent := 0.0
	for _, r := range all {
		if r.gold > 0 {
			continue
		}
		silent++
		for _, m := range r.found[:min(len(r.found), dispatch.ChangeLimits.Items)] {
			lines += count(m.P >= p)
		}
	}
	return lines / max(1, silent)
}
