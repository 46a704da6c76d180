package eval_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/kljensen/snowball/english"
	"github.com/stretchr/testify/require"

	"whence/internal/index"
	"whence/internal/test/eval"
	"whence/internal/test/repotest"
	"whence/internal/text"
	"whence/internal/trigger"
)

// evalTriggers measures derived triggers. For the entries of a real index, triggers are
// derived from title and description alone; then the triggers that its author wrote by
// hand are looked up, by plain word ranking, among (derived trigger, title, description).
// What counts is how often the entry that the author meant comes first, or among the
// first three. The rules were written with the titles of the first index in view; the
// second one is the check. The baselines do without derived triggers: they have title and
// description, or the title.
func evalTriggers(t *testing.T) (figures []eval.Figure) {
	for _, memory := range []struct {
		name    string
		entries int
	}{{"seedformat", 152}, {"lessons", 300}} {
		queries, derived, titles, rest := triggersOf(t, memory.name)
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
		for _, f := range []struct {
			measure string
			value   float64
			most    int
		}{{"the entry that is meant comes first", first, 1}, {"is among the first 3", third, 3}} {
			var fullText, letters float64
			for i, query := range queries {
				fullText += count(slices.Contains(full.rank(t, query, f.most), i))
				byLetters := eval.RankLetters(query, titles)
				letters += count(slices.Contains(byLetters[:min(f.most, len(byLetters))], i))
			}
			n := float64(len(queries))
			figures = append(figures, eval.Figure{
				Evaluation: "triggers derived, " + memory.name, Measure: f.measure, Questions: len(queries),
				Value: f.value, FullText: fullText / n, Letters: letters / n,
			})
		}
	}
	return figures
}

// triggersOf reads the entries of a real index: the author's triggers, those derived,
// titles, and titles with descriptions.
func triggersOf(t *testing.T, name string) (queries, derived, titles, rest []string) {
	src, err := os.ReadFile(repotest.Shared(t, "corpora/"+name+"/agents/memory-index.md"))
	require.NoError(t, err)
	for _, line := range index.Parse(src).Lines {
		if line.Kind == index.EntryLine {
			e := line.Entry
			queries = append(queries, e.Trigger.Text)
			derived = append(derived, strings.Join(trigger.Derive(trigger.Section{Title: e.Title.Text, Description: e.Description.Text}).Words, " "))
			titles = append(titles, e.Title.Text)
			rest = append(rest, e.Title.Text+" "+e.Description.Text)
		}
	}
	return queries, derived, titles, rest
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
