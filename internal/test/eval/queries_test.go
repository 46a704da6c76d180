package eval_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/test/repotest"
	"whence/internal/text"
	"whence/migrate"
	"whence/when"
)

// realMemory is the memory of 374 entries, in today's format.
func realMemory(t *testing.T) fstest.MapFS {
	tree := repotest.MarkdownTree(t, repotest.Shared(t, "corpora/head"))
	outcome, err := migrate.Run(tree, config.Default())
	require.NoError(t, err)
	tree[config.DefaultIndex] = &fstest.MapFile{Data: outcome.After}
	return tree
}

// entry is one of a memory, with the file of its section.
type entry struct {
	index.Entry
	file string
}

func entriesOf(tree fstest.MapFS) (all []entry) {
	f := index.Parse(tree[config.DefaultIndex].Data)
	for _, line := range f.Lines {
		if line.Kind == index.EntryLine {
			all = append(all, entry{line.Entry, f.Sections[line.Section].Path})
		}
	}
	return all
}

// textsOf are the triggers of the entries, and for each all of its text: the three
// fields, and the section with its situations.
func textsOf(t *testing.T, tree fstest.MapFS) (triggers, texts []string) {
	files := map[string]*decision.File{}
	for _, e := range entriesOf(tree) {
		if files[e.file] == nil {
			files[e.file] = decision.Parse(e.file, tree[e.file].Data)
		}
		file := files[e.file]
		body := ""
		for i, h := range file.Headings {
			if h.Key == decision.Key(e.Title.Text) {
				body = string(file.Body(i))
				break
			}
		}
		require.NotEmpty(t, body, e.Title.Text)
		triggers = append(triggers, strings.ToLower(e.Trigger.Text))
		texts = append(texts, strings.Join([]string{e.Trigger.Text, e.Title.Text, e.Description.Text, body}, "\n"))
	}
	return triggers, texts
}

// evalQueries asks for decisions as somebody does who remembers the trigger nearly. What
// counts is the decision that is meant, and for the baselines that it comes first. A single
// word of a description is not a query for one decision: an answer would be a guess.
func evalQueries(t *testing.T) []figure {
	tree := realMemory(t)
	l, err := when.Open(tree, config.Default())
	require.NoError(t, err)
	_, texts := textsOf(t, tree)
	full := newFullText(t, texts)
	entries := entriesOf(tree)
	random := rand.New(rand.NewPCG(3, 5))
	var figures []figure
	for _, variant := range []struct {
		name  string
		of    func(string) string
		aim   float64
		wrong bool // any answer is
	}{
		{"as it stands", func(s string) string { return s }, 1, false},
		{"a letter wrong", func(s string) string { return typo(s, random) }, 0.96, false},
		{"words rotated", rotated, 0.96, false},
		{"\"how to\" before it", func(s string) string { return "how to " + s }, 0.96, false},
		{"a lone word is answered", nil, 0.01, true},
	} {
		var asked, right, fullText float64
		for _, i := range sampled(len(entries)) {
			e := entries[i]
			query := ""
			if variant.wrong {
				query = lastWord(e.Description.Text)
			} else {
				query = variant.of(e.Trigger.Text)
			}
			if query == "" {
				continue
			}
			asked++
			q, err := when.ParseQuery(query)
			require.NoError(t, err, query)
			answer, err := l.Resolve(q)
			byFullText := full.rank(t, query, 1)
			if variant.wrong {
				right += count(err == nil)
				fullText += count(len(byFullText) > 0)
				continue
			}
			right += count(err == nil && strings.EqualFold(answer.Title, e.Title.Text))
			fullText += count(len(byFullText) > 0 && byFullText[0] == i)
			if err != nil || !strings.EqualFold(answer.Title, e.Title.Text) {
				fmt.Fprintf(t.Output(), "%s: %q for %q leads to %q\n", variant.name, query, e.Trigger.Text, answer.Title)
			}
		}
		figures = append(figures, figure{
			Evaluation: "queries", Measure: variant.name, Questions: int(asked), Aim: variant.aim, Smaller: variant.wrong,
			Value: right / asked, FullText: fullText / asked,
		})
	}
	return append(figures, evalSuggestions(t, tree, l, full))
}

// typo returns a query with a letter left out, doubled, replaced, or swapped with the next, behind the first two
// letters of a word of at least five.
func typo(query string, random *rand.Rand) string {
	words := strings.Fields(query)
	for range 50 {
		i := random.IntN(len(words))
		w := []byte(words[i])
		if len(w) < 5 || strings.ContainsFunc(words[i], func(r rune) bool { return !unicode.IsLetter(r) }) {
			continue
		}
		at := 2 + random.IntN(len(w)-3)
		switch random.IntN(4) {
		case 0:
			w = append(w[:at], w[at+1:]...)
		case 1:
			w = append(w[:at+1], w[at:]...)
		case 2:
			w[at] = 'q'
		case 3:
			w[at], w[at+1] = w[at+1], w[at]
		}
		words[i] = string(w)
		break
	}
	return strings.Join(words, " ")
}

// rotated returns a query with its first word at the end.
func rotated(query string) string {
	words := strings.Fields(query)
	return strings.Join(append(words[1:], words[0]), " ")
}

// evalSuggestions asks with two words of a trigger among others. No section answers that;
// the entry should be among those that are named.
func evalSuggestions(t *testing.T, tree fstest.MapFS, l *when.Library, full fullText) figure {
	var asked, named, fullText float64
	entries := entriesOf(tree)
	for _, i := range sampled(len(entries)) {
		e := entries[i]
		words := slices.DeleteFunc(strings.Fields(e.Trigger.Text), text.IsStopWord)
		if len(words) < 3 {
			continue
		}
		asked++
		query := "sorting out " + words[len(words)-2] + " and " + words[len(words)-1] + " somehow"
		suggestions := l.Suggest(query)
		named += count(slices.ContainsFunc(suggestions, func(s when.Suggestion) bool { return s.Command == "/"+e.Operator+" "+e.Trigger.Text }))
		fullText += count(slices.Contains(full.rank(t, query, 5), i))
	}
	return figure{
		Evaluation: "queries", Measure: "two of its words: among 5 suggestions", Questions: int(asked), Aim: 0.90,
		Value: named / asked, FullText: fullText / asked,
	}
}

// sampled returns the numbers of the entries to ask for: every fifth of n, or all if tests are long.
func sampled(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return repotest.Sample(numbers, 5, 0)
}

// lastWord is the last word of a text, without the signs around it.
func lastWord(text string) string {
	words := strings.Fields(text)
	return strings.Trim(words[len(words)-1], ".,;:()`\"'")
}

func count(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
