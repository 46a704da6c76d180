package eval_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/kljensen/snowball/english"
	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/test/repotest"
	"whence/internal/text"
	"whence/internal/trigger"
	"whence/when"
)

// evalTriggers measures derived triggers. Those of a real index are derived anew, as
// migration does; then the triggers that its author wrote by hand are looked up: by plain
// word ranking among (derived trigger, title, description), and as memory-when recall looks
// them up in the index of derived triggers. What counts is how often the entry that the
// author meant comes first, or among the first three. The rules were written with the titles
// of the first index in view; the second one is the check. There the plain ranking cannot find 72 of
// the 300: their triggers share no word with the entry, for their author knew the section, which only
// recall reads. The baselines do without derived triggers: they have title and description, or the title.
func evalTriggers(t *testing.T) (figures []figure) {
	for _, memory := range []struct {
		name    string
		entries int
	}{{"seedformat", 152}, {"lessons", 300}} {
		tree := repotest.MarkdownTree(t, repotest.Shared(t, "corpora/"+memory.name))
		queries, derived, titles, rest := deriveAll(t, tree)
		require.Len(t, queries, memory.entries)
		all := make([]string, len(rest))
		for i := range rest {
			all[i] = derived[i] + " " + rest[i]
		}
		fmt.Fprintf(t.Output(), "%-42s rank 1   rank 1-3\n", "looked up by the author's own trigger in")
		for _, fields := range []struct {
			name string
			docs []string
		}{
			{"derived trigger alone", derived},
			{"title and description", rest},
			{"derived trigger, title and description", all},
		} {
			first, third := hits(fields.docs, queries)
			fmt.Fprintf(t.Output(), "%-42s %5.1f %%  %5.1f %%\n", fields.name, 100*first, 100*third)
		}
		full := newFullText(t, rest)
		first, third := hits(all, queries)
		firstRecalled, thirdRecalled := recalls(t, tree, titles, queries)
		for _, f := range []struct {
			measure string
			value   float64
			most    int
		}{
			{"the entry that is meant comes first", first, 1},
			{"is among the first 3", third, 3},
			{"recalled first", firstRecalled, 1},
			{"recalled among the first 3", thirdRecalled, 3},
		} {
			var fullText float64
			for i, query := range queries {
				fullText += count(slices.Contains(full.rank(t, query, f.most), i))
			}
			n := float64(len(queries))
			figures = append(figures, figure{
				Evaluation: "triggers derived, " + memory.name, Measure: f.measure, Questions: len(queries),
				Value: f.value, FullText: fullText / n,
			})
		}
	}
	return figures
}

// deriveAll replaces the triggers of an index by derived ones. It returns of each entry the author's
// trigger, the derived one, the title, and the title with the description.
func deriveAll(t *testing.T, tree fstest.MapFS) (queries, derived, titles, rest []string) {
	triggers := trigger.Set{}
	var anew strings.Builder
	file := &decision.File{}
	for _, e := range entriesOf(tree) {
		if e.file != file.Path {
			file = decision.Parse(e.file, tree[e.file].Data)
			fmt.Fprintf(&anew, "\n## %s\n\n", e.file)
		}
		heading := slices.IndexFunc(file.Headings, func(h decision.Heading) bool { return h.Key == decision.Key(e.Title.Text) })
		require.GreaterOrEqual(t, heading, 0, e.Title.Text)
		operator, words := trigger.Derive(trigger.Title(file, heading))
		unique, _ := triggers.Unique(operator, words, e.Title.Text, e.Description.Text)
		fmt.Fprintln(&anew, index.FormatEntry(operator, unique, e.Title.Text, e.Description.Text))
		queries = append(queries, e.Trigger.Text)
		derived = append(derived, unique)
		titles = append(titles, e.Title.Text)
		rest = append(rest, e.Title.Text+" "+e.Description.Text)
	}
	tree[config.DefaultIndex] = &fstest.MapFile{Data: []byte(anew.String())}
	return queries, derived, titles, rest
}

// recalls is the share of queries whose decision is recalled first, and among the first three.
func recalls(t *testing.T, tree fstest.MapFS, titles, queries []string) (first, third float64) {
	l, err := when.Open(tree, config.Default())
	require.NoError(t, err)
	for i, query := range queries {
		found := l.Recall(query, 3)
		place := slices.IndexFunc(found, func(r when.Recalled) bool { return r.Title == titles[i] })
		first += count(place == 0)
		third += count(place >= 0)
	}
	return first / float64(len(queries)), third / float64(len(queries))
}

// hits is the share of queries whose document is ranked first, and in the first
// three. A document of equal score before it counts against it.
func hits(docs, queries []string) (first, third float64) {
	ranked := newBM25(docs)
	for i, query := range queries {
		scores := ranked.scores(query)
		place := 1
		for j, score := range scores {
			if score > scores[i] || score == scores[i] && j < i {
				place++
			}
		}
		if scores[i] > 0 && place == 1 {
			first++
		}
		if scores[i] > 0 && place <= 3 {
			third++
		}
	}
	return first / float64(len(queries)), third / float64(len(queries))
}

// bm25 is the plain ranking by words: Robertson and Zaragoza, The Probabilistic
// Relevance Framework: BM25 and Beyond (2009), k1 = 1.2, b = 0.75.
type bm25 struct {
	counts  []map[string]float64
	lengths []float64
	average float64
	rarity  map[string]float64
}

func newBM25(docs []string) *bm25 {
	r := &bm25{rarity: map[string]float64{}}
	for _, doc := range docs {
		count, terms := map[string]float64{}, stems(doc)
		for _, term := range terms {
			count[term]++
		}
		for term := range count {
			r.rarity[term]++
		}
		r.counts = append(r.counts, count)
		r.lengths = append(r.lengths, float64(len(terms)))
		r.average += float64(len(terms)) / float64(len(docs))
	}
	for term, df := range r.rarity {
		r.rarity[term] = math.Log(1 + (float64(len(docs))-df+0.5)/(df+0.5))
	}
	return r
}

func (r *bm25) scores(query string) []float64 {
	terms := stems(query)
	slices.Sort(terms)
	terms = slices.Compact(terms)
	scores := make([]float64, len(r.counts))
	for i, count := range r.counts {
		norm := 1.2 * (0.25 + 0.75*r.lengths[i]/r.average)
		for _, term := range terms {
			scores[i] += r.rarity[term] * count[term] * 2.2 / (count[term] + norm)
		}
	}
	return scores
}

func stems(s string) []string {
	var terms []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !text.IsStopWord(w) {
			terms = append(terms, english.Stem(w, false))
		}
	}
	return terms
}
