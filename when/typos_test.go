package when_test

import (
	"io/fs"
	"iter"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/index"
	"whence/internal/words"
	"whence/when"

	"whence/internal/test/repotest"
)

// slips are changes of a trigger on its way through somebody's fingers: each makes of
// a trigger the queries that mean it.
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

// at is a place behind the first two letters of a word, another one in each.
func at(word string) int {
	sum := 0
	for _, c := range []byte(word) {
		sum += int(c)
	}
	return 2 + sum%(len(word)-2)
}

// sampled returns every ninth entry, or all if WHENCE_LONG is set.
func sampled(all iter.Seq2[index.Entry, string]) iter.Seq2[index.Entry, string] {
	if repotest.Long() {
		return all
	}
	return func(yield func(index.Entry, string) bool) {
		n := 0
		for e, section := range all {
			if n++; n%9 == 1 && !yield(e, section) {
				return
			}
		}
	}
}

// A trigger with a slip leads to its section, unless the slip makes another word of the
// memory, and never to the section of another trigger.
func TestSlipsAreUnderstood(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, tree := range memories(t) {
		t.Run(name, func(t *testing.T) {
			l, err := when.Open(tree, config.Default())
			require.NoError(t, err)
			asked, answered := 0, 0
			for slip, of := range slips {
				for e := range sampled(entries(tree)) {
					for _, query := range of(strings.ToLower(e.Trigger.Text)) {
						asked++
						trigger := when.LeadsTo(l, query)
						if trigger == "" {
							t.Logf("%s: %q for %q has no answer", slip, query, e.Trigger.Text)
							continue
						}
						answered++
						require.Equal(t, e.Trigger.Text, trigger, "%s: %q", slip, query)
					}
				}
			}
			t.Logf("%d of %d queries", answered, asked)
			// The rest are other words of the memory: "mode" for "model", "or" for "for".
			require.GreaterOrEqual(t, float64(answered), 0.97*float64(asked))
		})
	}
}

// A trigger that does not exist has no answer, however near it is to one that does: with a
// word replaced by another one, left out or added, negated, or of another memory.
func TestOtherTriggersAreNotAnswered(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	all := memories(t)
	for name, tree := range all {
		t.Run(name, func(t *testing.T) {
			l, err := when.Open(tree, config.Default())
			require.NoError(t, err)
			own := entries(tree)
			exists := map[string]bool{}
			vocabulary := map[string]bool{}
			for e := range own {
				exists[wordsOf(e.Trigger.Text)] = true
				for _, w := range strings.Fields(strings.ToLower(e.Trigger.Text)) {
					vocabulary[w] = true
				}
			}
			written := wordsWritten(t, tree)
			asked := map[string]int{}
			refused := func(kind, query string) {
				if exists[wordsOf(query)] {
					return
				}
				asked[kind]++
				require.Empty(t, when.LeadsTo(l, query), "%s: %q", kind, query)
			}
			known := sorted(vocabulary)
			random := rand.New(rand.NewPCG(5, 8))
			for e := range sampled(own) {
				trigger := strings.ToLower(e.Trigger.Text)
				for i, w := range strings.Fields(trigger) {
					with := func(other string) string {
						all := strings.Fields(trigger)
						all[i] = other
						return strings.Join(all, " ")
					}
					refused("a word replaced", with(known[random.IntN(len(known))]))
					for _, near := range known {
						if words.OneTypo(w, near) && letters(w) != letters(near) {
							refused("a word replaced by one that is spelt alike", with(near))
						}
					}
					for _, near := range written {
						if words.OneTypo(w, near) && letters(w) != letters(near) {
							refused("a word replaced by one of a decision that is spelt alike", with(near))
						}
					}
					refused("a word left out", with(""))
					refused("a word added", with(w+" "+known[random.IntN(len(known))]))
					for _, no := range []string{"not", "non", "in"} {
						refused("negated", with(no+" "+w))
					}
				}
			}
			for other, tree := range all {
				for e := range entries(tree) {
					if other != name {
						refused("a trigger of another memory", e.Trigger.Text)
					}
				}
			}
			t.Log(asked)
			require.Len(t, asked, 7)
		})
	}
}

// A word that begins with another letter often says the opposite, even if no memory says it.
func TestOppositesAreOtherWords(t *testing.T) {
	for query, trigger := range map[string]string{
		"asynchronous calls": "synchronous calls", "asymmetric keys": "symmetric keys", "umounting disks": "mounting disks", "atypical errors": "typical errors",
		"unbound traffic": "inbound traffic", "blocking requests": "locking requests", "unsafe writes": "safe writes",
	} {
		l, err := when.Open(fstest.MapFS{
			"agents/memory-index.md": {Data: []byte("## agents/decisions/a.md\n\n/when " + trigger + " | Title | what is done about it\n")},
			"agents/decisions/a.md":  {Data: []byte("# A\n\n## Title\n\nText.\n")},
		}, config.Default())
		require.NoError(t, err)
		require.Equal(t, trigger, when.LeadsTo(l, trigger))
		require.Empty(t, when.LeadsTo(l, query), query)
	}
}

// wordsOf are the words of a trigger without regard to their order, form and articles.
func wordsOf(trigger string) string {
	var stems []string
	trigger = strings.NewReplacer("-", "", "'", "").Replace(strings.ToLower(trigger))
	for _, w := range strings.FieldsFunc(trigger, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if w != "a" && w != "an" && w != "the" {
			stem := words.Stem(w)
			stems = append(stems, stem[:min(len(stem), 6)]) // "transmit" and "transmission" are one
		}
	}
	slices.Sort(stems)
	return strings.Join(stems, " ")
}

// wordsWritten are the words of four letters and more in decision files.
func wordsWritten(t *testing.T, tree fstest.MapFS) []string {
	found := map[string]bool{}
	require.NoError(t, fs.WalkDir(tree, "agents/decisions", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".md" {
			return err
		}
		for _, w := range strings.FieldsFunc(strings.ToLower(string(tree[name].Data)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
			if len(w) > 3 && letters(w) == w {
				found[w] = true
			}
		}
		return nil
	}))
	return sorted(found)
}

// letters are those of a word: "pre-commit" and "precommit" are one.
func letters(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, word)
}

func sorted(set map[string]bool) (words []string) {
	for w := range set {
		words = append(words, w)
	}
	slices.Sort(words)
	return words
}
