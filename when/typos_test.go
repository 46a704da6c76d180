package when_test

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/index"
	"whence/when"

	"whence/internal/test/repotest"
)

// slips are typos and other changes of a trigger: each function returns the queries that it makes of a trigger.
var slips = map[string]func(trigger string) []string{
	"a letter left out": eachWord(5, func(w string) string { return w[:at(w)] + w[at(w)+1:] }),
	"a letter doubled":  eachWord(5, func(w string) string { return w[:at(w)+1] + w[at(w):] }),
	"a letter wrong":    eachWord(5, func(w string) string { return w[:at(w)] + "q" + w[at(w)+1:] }),
	"two letters swapped": eachWord(5, func(w string) string {
		i := at(w[1:])
		return w[:i] + w[i+1:i+2] + w[i:i+1] + w[i+2:]
	}),
	"a word split in its middle": eachWord(4, func(w string) string { return w[:len(w)/2] + " " + w[len(w)/2:] }),
	"two words joined": func(trigger string) (queries []string) {
		words := strings.Fields(trigger)
		for i := range len(words) - 1 {
			queries = append(queries, strings.Join(slices.Concat(words[:i], []string{words[i] + words[i+1]}, words[i+2:]), " "))
		}
		return queries
	},
	"in another order": func(trigger string) []string {
		words := strings.Fields(trigger)
		return []string{strings.Join(slices.Concat(words[1:], words[:1]), " ")}
	},
	"in another form": func(trigger string) []string {
		return []string{strings.NewReplacer("ing ", "e ", "s ", " ").Replace(trigger + " ")}
	},
}

// eachWord changes one word of a trigger after the other, if it is long enough.
func eachWord(minLength int, change func(word string) string) func(trigger string) []string {
	return func(trigger string) (queries []string) {
		words := strings.Fields(trigger)
		for i, w := range words {
			if len(w) >= minLength && change(w) != w {
				queries = append(queries, strings.Join(slices.Concat(words[:i], []string{change(w)}, words[i+1:]), " "))
			}
		}
		return queries
	}
}

// at returns a place after the first two letters of a word, which differs between words.
func at(word string) int {
	sum := 0
	for _, c := range []byte(word) {
		sum += int(c)
	}
	return 2 + sum%(len(word)-2)
}

// sampled returns every 54th entry, or all if WHENCE_LONG is set.
func sampled(all iter.Seq2[index.Entry, string]) iter.Seq2[index.Entry, string] {
	if repotest.Long() {
		return all
	}
	return func(yield func(index.Entry, string) bool) {
		n := 0
		for e, section := range all {
			if n++; n%54 == 1 && !yield(e, section) {
				return
			}
		}
	}
}

// A query that is neither a trigger nor a title has no answer, however near it is: with a letter wrong, in another
// order or form, or a trigger of another memory. The nearest line is nearly always the one that is meant.
func TestNearMissesAreSuggested(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	all := memories(t)
	for name, tree := range all {
		t.Run(name, func(t *testing.T) {
			l, err := when.Open(tree, config.Default())
			require.NoError(t, err)
			exists := map[string]bool{}
			for e := range entries(tree) {
				exists[index.NormalizeTrigger(e.Trigger.Text)] = true
				exists[index.NormalizeTrigger(e.Title.Text)] = true
			}
			nearest := func(query string) string {
				q, err := when.ParseQuery(query)
				require.NoError(t, err)
				_, err = l.Resolve(q)
				var missed *when.NotFound
				require.ErrorAs(t, err, &missed, query)
				if !missed.Near {
					return ""
				}
				return missed.Suggestions[0].Command
			}
			for slip, of := range slips {
				asked, meant := 0, 0
				for e := range sampled(entries(tree)) {
					for _, query := range of(strings.ToLower(e.Trigger.Text)) {
						if exists[index.NormalizeTrigger(query)] {
							continue
						}
						asked++
						if found := nearest(query); found == e.Query() {
							meant++
						} else {
							t.Logf("%s: %q for %q: %s", slip, query, e.Trigger.Text, found)
						}
					}
				}
				t.Logf("%s: %d of %d", slip, meant, asked)
				require.GreaterOrEqual(t, float64(meant)+1, 0.97*float64(asked), slip)
			}
			for e := range sampled(entries(tree)) { // other triggers, of which no line may be meant
				all := strings.Fields(strings.ToLower(e.Trigger.Text))
				for i := range all {
					for _, other := range [][]string{{}, {"not", all[i]}, {"non" + all[i]}, {all[i], "twice"}} {
						query := strings.Join(slices.Concat(all[:i], other, all[i+1:]), " ")
						if query != "" && !exists[index.NormalizeTrigger(query)] {
							nearest(query)
						}
					}
				}
			}
			for other, tree := range all {
				for e := range sampled(entries(tree)) {
					if other != name && !exists[index.NormalizeTrigger(e.Trigger.Text)] {
						nearest(e.Trigger.Text)
					}
				}
			}
		})
	}
}
