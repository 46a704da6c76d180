package eval_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/test/repotest"
	"whence/internal/trigger"
	"whence/when"
)

// evalTriggers measures derived triggers. Those of a real index are derived anew, as migration does; then the
// triggers that its author wrote by hand are looked up as memory-when recall does in the index of derived ones.
// What counts is how often the entry that the author meant comes first, or among the first three. The rules
// were written with the titles of the first index in view; the second one is the check. The baseline does
// without derived triggers: it has title and description.
func evalTriggers(t *testing.T) (figures []figure) {
	for _, memory := range []struct {
		name    string
		entries int
	}{{"seedformat", 152}, {"lessons", 300}} {
		tree := repotest.MarkdownTree(t, repotest.Shared(t, "corpora/"+memory.name))
		queries, titles, rest := deriveAll(t, tree)
		require.Len(t, queries, memory.entries)
		full := newFullText(t, rest)
		first, third := recalls(t, tree, titles, queries)
		for _, f := range []struct {
			measure string
			value   float64
			most    int
		}{
			{"recalled first", first, 1},
			{"recalled among the first 3", third, 3},
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
// trigger, the title, and the title with the description.
func deriveAll(t *testing.T, tree fstest.MapFS) (queries, titles, rest []string) {
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
		titles = append(titles, e.Title.Text)
		rest = append(rest, e.Title.Text+" "+e.Description.Text)
	}
	tree[config.DefaultIndex] = &fstest.MapFile{Data: []byte(anew.String())}
	return queries, titles, rest
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
