package eval_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/inert"
	"whence/internal/learning"
	"whence/internal/rank"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/internal/words"
)

// ranks adds up the ranks of the first right answers.
type ranks struct{ n, first, three, five, ten, reciprocal float64 }

// add counts a question; rank 0 means that no right answer was given.
func (r *ranks) add(rank int) {
	r.n++
	if rank == 0 {
		return
	}
	for most, sum := range map[int]*float64{1: &r.first, 3: &r.three, 5: &r.five, 10: &r.ten} {
		if rank <= most {
			*sum++
		}
	}
	r.reciprocal += 1 / float64(rank)
}

const ranksHead = "                                 n   hit@1   hit@3   hit@5  hit@10     MRR"

func (r *ranks) row(name string) string {
	return fmt.Sprintf("%-28s %5.0f   %5.3f   %5.3f   %5.3f   %5.3f   %5.3f", name, r.n, r.first/r.n, r.three/r.n, r.five/r.n, r.ten/r.n, r.reciprocal/r.n)
}

// asked is a question to the bank, with the names of the learnings that answer it.
type asked struct {
	Query    string
	Relevant []string
	Kind     string
}

// evalLearnings measures the search of learnings on a bank that was written for it, which
// needs nothing else, and on the bank among thousands of other texts.
func evalLearnings(t *testing.T) (figures []figure) {
	var bank []learning.Learning
	for _, l := range repotest.JSONLines[learning.Learning](t, filepath.Join("testdata", "bank", "learnings.jsonl")) {
		bank = append(bank, learning.Imported(l))
	}
	questions := repotest.JSONLines[asked](t, filepath.Join("testdata", "bank", "queries.jsonl"))
	offTopic := repotest.JSONLines[asked](t, filepath.Join("testdata", "bank", "off-topic.jsonl"))
	for _, run := range []struct {
		name   string
		others int
	}{
		{"learnings, the bank alone", 0},
		{"learnings, among 2,000 others", 2000},
		{"learnings, among 10,000 others", 10_000},
	} {
		t.Run(run.name, func(t *testing.T) {
			if run.others > 0 && !repotest.Long() {
				t.Skip("takes long: make eval runs it")
			}
			all := append(others(t, run.others), bank...)
			s := filledStore(t, all)
			baselines := newLearningBaselines(t, all)
			ours, ranked := measureBank(t, s, questions)
			var fullText ranks
			for _, q := range questions {
				isRight := func(name string) bool { return slices.Contains(q.Relevant, name) }
				fullText.add(1 + slices.IndexFunc(baselines.fullText(t, q.Query), isRight))
			}
			var noise, noiseFullText float64
			for _, q := range offTopic {
				hits := answers(t, s, q.Query, 5)
				if len(hits) > 0 && !hits[0].Near && run.others == 0 {
					fmt.Fprintf(t.Output(), "off-topic %q: %.2f %s, by %s\n", cut(q.Query, 80), hits[0].Evidence, hits[0].Name, strings.Join(hits[0].Words, " "))
				}
				noise += count(len(hits) > 0 && !hits[0].Near)
				noiseFullText += count(len(baselines.fullText(t, q.Query)) > 0)
			}
			n := float64(len(offTopic))
			figures = append(figures,
				figure{Evaluation: run.name, Measure: "a right one is the first answer", Questions: len(questions), Value: ours.first / ours.n, FullText: fullText.first / fullText.n},
				figure{Evaluation: run.name, Measure: "is among the first 5, never abstaining", Questions: len(questions), Value: ranked.five / ranked.n, FullText: fullText.five / fullText.n},
				figure{Evaluation: run.name, Measure: "is among the first 5 answers", Questions: len(questions), Value: ours.five / ours.n, FullText: fullText.five / fullText.n},
				figure{Evaluation: run.name, Measure: "answers what has no answer", Questions: len(offTopic), Value: noise / n, FullText: noiseFullText / n, Smaller: true},
			)
			if run.others == 0 {
				figures = append(figures, evalOneWord(t, run.name, s, bank, baselines))
			}
		})
	}
	return figures
}

// evalOneWord asks with the most telling word of each name, beside one that no learning has.
func evalOneWord(t *testing.T, name string, s *store.Store, bank []learning.Learning, baselines learningBaselines) figure {
	var ours, fullText float64
	for _, l := range bank {
		query := tellingWord(l.Name, bank) + " zyxomatic"
		ours += count(slices.ContainsFunc(answers(t, s, query, 5), func(h store.Hit) bool { return h.Name == l.Name }))
		byFullText := baselines.fullText(t, query)
		fullText += count(slices.Contains(byFullText[:min(5, len(byFullText))], l.Name))
	}
	n := float64(len(bank))
	return figure{
		Evaluation: name, Measure: "one word of its name and an unknown one", Questions: len(bank), Aim: 0.9,
		Value: ours / n, FullText: fullText / n,
	}
}

// tellingWord returns the word of a name that is in the fewest learnings.
func tellingWord(name string, all []learning.Learning) (word string) {
	fewest := len(all) + 1
	for _, next := range words.Terms(name) {
		n := 0
		for _, l := range all {
			if strings.Contains(strings.ToLower(l.Name+" "+l.Description+" "+l.Reasoning), next) {
				n++
			}
		}
		if n < fewest {
			word, fewest = next, n
		}
	}
	return word
}

// learningBaselines rank names of learnings, ten at most, full text by all of their text.
type learningBaselines struct {
	names  []string
	search fullText
}

func newLearningBaselines(t *testing.T, all []learning.Learning) learningBaselines {
	var b learningBaselines
	var texts []string
	for _, l := range all {
		b.names = append(b.names, l.Name)
		texts = append(texts, l.Name+"\n"+l.Description+"\n"+l.Reasoning)
	}
	b.search = newFullText(t, texts)
	return b
}

func (b learningBaselines) fullText(t *testing.T, query string) []string {
	return named(b.names, b.search.rank(t, query, 10))
}

// measureBank asks the questions of the bank and prints what came of it: the answers, and
// what is ranked without abstaining.
func measureBank(t *testing.T, s *store.Store, questions []asked) (all, ranked ranks) {
	kinds := map[string]*ranks{}
	out := t.Output()
	for _, q := range questions {
		isRight := func(h store.Hit) bool { return slices.Contains(q.Relevant, h.Name) }
		rank := 1 + slices.IndexFunc(answers(t, s, q.Query, 10), isRight)
		all.add(rank)
		if kinds[q.Kind] == nil {
			kinds[q.Kind] = &ranks{}
		}
		kinds[q.Kind].add(rank)
		found, err := s.Search(t.Context(), store.Query{Text: q.Query, Scope: store.Scope{Everywhere: true}, Max: 100})
		require.NoError(t, err)
		rank = 1 + slices.IndexFunc(found, isRight)
		ranked.add(rank)
		if rank != 1 {
			fmt.Fprintf(out, "  %3d  %s: %q\n       right: %s\n", rank, q.Kind, cut(q.Query, 90), strings.Join(q.Relevant, ", "))
		}
	}
	fmt.Fprintf(out, "%s\n%s\n%s\n", ranksHead, ranked.row("ranked, never abstaining"), all.row("answers"))
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintln(out, kinds[kind].row("  "+kind))
	}
	return all, ranked
}

// answers returns the hits that memory-remember search prints.
func answers(t *testing.T, s *store.Store, text string, most int) []store.Hit {
	hits, err := s.Search(t.Context(), store.Query{Text: text, Scope: store.Scope{Everywhere: true}, Max: most, Evidence: rank.MinEvidence, Typed: true})
	require.NoError(t, err)
	return hits
}

// others are texts that have only the trade in common with the bank: paragraphs
// of real notes on software, and behind them turns of conversations. These speak of
// daily life, as some of the questions that the bank does not answer: that they are
// answered is right for some.
func others(t *testing.T, n int) (all []learning.Learning) {
	if n == 0 {
		return nil
	}
	seen := map[string]bool{}
	add := func(text string) {
		text = strings.TrimSpace(text)
		if words := len(strings.Fields(text)); len(all) == n || words < 10 || words > 150 || seen[learning.ID(text)] {
			return
		}
		seen[learning.ID(text)] = true
		all = append(all, inferred(text))
	}
	for _, corpus := range []string{"corpora/lessons", "corpora/head"} {
		for _, name := range markdownFiles(t, repotest.Shared(t, corpus)) {
			src, err := os.ReadFile(name)
			require.NoError(t, err)
			for _, paragraph := range strings.Split(string(src), "\n\n") {
				if !strings.HasPrefix(paragraph, "<!--") && !strings.HasPrefix(paragraph, "/when") {
					add(paragraph)
				}
			}
		}
	}
	for _, file := range []string{"eval/devmem/memories.jsonl", "eval/locomo/memories.jsonl"} {
		for _, turn := range repotest.JSONLines[struct{ Text string }](t, repotest.Shared(t, file)) {
			add(turn.Text)
		}
	}
	return all
}

// inferred returns the learning that memory-remember makes of a text.
func inferred(s string) learning.Learning {
	s = inert.Clean(s)
	return learning.Learning{
		Name: learning.InferName(s), Description: s, Reasoning: learning.NoReason,
		Category: learning.InferCategory(s), Confidence: learning.Low, Source: learning.SessionCapture,
	}
}

func filledStore(t testing.TB, all []learning.Learning) *store.Store {
	s, err := store.Open(context.Background(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	done, err := s.Import(context.Background(), all, time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC))
	require.NoError(t, err)
	require.Greater(t, len(done.Added), len(all)*9/10)
	return s
}

func markdownFiles(t *testing.T, dir string) (names []string) {
	require.NoError(t, filepath.WalkDir(dir, func(name string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(name, ".md") {
			names = append(names, name)
		}
		return err
	}))
	require.NotEmpty(t, names)
	return names
}
