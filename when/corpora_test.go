package when_test

import (
	"errors"
	"iter"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/index"
	"whence/internal/test/eval"
	"whence/internal/test/repotest"
	"whence/internal/text"
	"whence/migrate"
	"whence/when"
)

// memories are the example and the real memories in today's format; the one in the
// two-field format is migrated first.
func memories(t *testing.T) map[string]fstest.MapFS {
	all := map[string]fstest.MapFS{"ferry": repotest.MarkdownTree(t, "../examples/ferry")}
	for _, name := range []string{"seedformat", "lessons", "head", "conventions", "seedtime"} {
		tree := repotest.MarkdownTree(t, repotest.Shared(t, "corpora/"+name))
		outcome, err := migrate.Run(tree, config.Default(), nil)
		require.NoError(t, err)
		tree[config.DefaultIndex] = &fstest.MapFile{Data: outcome.After}
		all[name] = tree
	}
	return all
}

func entries(tree fstest.MapFS) iter.Seq2[index.Entry, string] {
	return func(yield func(index.Entry, string) bool) {
		f := index.Parse(tree[config.DefaultIndex].Data)
		for _, line := range f.Lines {
			if line.Kind == index.EntryLine && !yield(line.Entry, f.Sections[line.Section].Path) {
				return
			}
		}
	}
}

func ask(t testing.TB, l *when.Library, text string) (when.Answer, error) {
	t.Helper()
	q, err := when.ParseQuery(text)
	require.NoError(t, err, text)
	return l.Resolve(q)
}

// Every trigger leads to its section, whole; every related line that is printed
// leads somewhere when it is asked as it is printed.
func TestEveryTriggerAndEveryRelatedLine(t *testing.T) {
	if testing.Short() {
		t.Skip("single queries, one after the other")
	}
	for name, tree := range memories(t) {
		t.Run(name, func(t *testing.T) {
			l, err := when.Open(tree, config.Default())
			require.NoError(t, err)
			related := map[string]string{}
			for e, file := range entries(tree) {
				a, err := ask(t, l, "/"+e.Operator+" "+e.Trigger.Text)
				require.NoError(t, err)
				pointed, err := ask(t, l, "- /"+e.Operator+" "+e.Trigger.Text+"  ("+e.Title.Text+")")
				require.NoError(t, err)
				require.Equal(t, a.Command, pointed.Command)
				require.Equal(t, file, a.File)
				require.True(t, strings.EqualFold(e.Title.Text, a.Title), "%q leads to %q", e.Trigger.Text, a.Title)
				require.Equal(t, sectionText(string(tree[file].Data), a.Title), a.Text)
				for _, r := range a.Related {
					related[r.Command] = r.Relation
				}
				require.Equal(t, "file", a.Related[len(a.Related)-1].Relation)
			}
			require.NotEmpty(t, related)
			for command, relation := range related {
				a, err := ask(t, l, "- "+command+"   # a remark")
				require.NoError(t, err, "%s line %q", relation, command)
				for _, r := range a.Related {
					_, err := ask(t, l, r.Command)
					require.NoError(t, err, r.Command)
				}
			}
		})
	}
}

// sectionText extracts a section by lines alone, knowing fences and situations: it
// shares nothing with the program.
func sectionText(src, title string) string {
	src = regexp.MustCompile(`(?m)^\n([A-Z][^:\n]*)\n-{3,}\n$`).ReplaceAllString(src, "\n## $1\n")
	var out []string
	level, fence, comment := 0, "", false
	for _, line := range strings.Split(src, "\n") {
		mark := strings.TrimLeft(line, " ")
		if len(line)-len(mark) < 4 && (strings.HasPrefix(mark, "```") || strings.HasPrefix(mark, "~~~")) {
			switch {
			case fence == "":
				fence = mark[:3]
			case strings.HasPrefix(mark, fence) && strings.Trim(mark, fence[:1]+" ") == "":
				fence = ""
			}
		}
		hashes := len(line) - len(strings.TrimLeft(line, "#"))
		if fence == "" && hashes > 0 && hashes < 7 && strings.HasPrefix(line[hashes:], " ") {
			if level > 0 && hashes <= level {
				break
			}
			if level == 0 && strings.EqualFold(strings.TrimSpace(line[hashes:]), title) {
				level = hashes
				continue
			}
		}
		if level == 0 {
			continue
		}
		if strings.HasPrefix(line, "<!-- situations:") {
			comment = true
		} else if line == "<!--" {
			fence = "-->"
		} else if line == "-->" && fence == "-->" {
			fence = ""
		}
		if !comment {
			out = append(out, line)
		} else if strings.HasSuffix(line, "-->") {
			comment = false
			for len(out) > 0 && out[len(out)-1] == "" {
				out = out[:len(out)-1]
			}
		}
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}

// A trigger with one letter wrong, its words rotated, spoken with an operator, or
// with its first verb in another form, leads to its section nearly always, and
// never to another one.
func TestVariantsOfTriggers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, tree := range memories(t) {
		random := rand.New(rand.NewPCG(3, 5))
		variants := map[string]func(string) string{
			"a letter wrong":     func(s string) string { return eval.Typo(s, random) },
			"words rotated":      eval.Rotated,
			"spoken with how to": func(s string) string { return "how to " + s },
			"spoken with when":   func(s string) string { return "When " + s },
			"another form":       eval.AnotherForm,
		}
		l, err := when.Open(tree, config.Default())
		require.NoError(t, err)
		for kind, vary := range variants {
			t.Run(name+"/"+kind, func(t *testing.T) {
				asked, right := 0, 0
				for e := range entries(tree) {
					query := vary(e.Trigger.Text)
					if query == "" {
						continue
					}
					a, err := ask(t, l, query)
					asked++
					switch {
					case err == nil && strings.EqualFold(a.Title, e.Title.Text):
						right++
					case err == nil:
						t.Logf("%q for %q leads to %q", query, e.Trigger.Text, a.Title)
					default:
						t.Logf("%q for %q has no answer", query, e.Trigger.Text)
					}
				}
				t.Logf("%d of %d", right, asked)
				if kind != "another form" { // few derived triggers begin with a verb
					require.GreaterOrEqual(t, asked, 50)
				}
				require.Positive(t, asked)
				// A wrong letter in a number, a short word or a code name may leave another one.
				require.GreaterOrEqual(t, float64(right), 0.97*float64(asked))
			})
		}
	}
}

// A trigger that does not exist is never answered with a section.
func TestNoSubstitution(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, tree := range memories(t) {
		t.Run(name, func(t *testing.T) {
			l, err := when.Open(tree, config.Default())
			require.NoError(t, err)
			found, asked := 0, 0
			for e := range entries(tree) {
				words := slices.DeleteFunc(strings.Fields(e.Trigger.Text), text.IsStopWord)
				if len(words) < 3 {
					continue
				}
				asked++
				// two content words are kept, the rest is other words
				_, err := ask(t, l, "sorting out "+words[len(words)-2]+" and "+words[len(words)-1]+" somehow")
				var notFound *when.NotFound
				require.True(t, errors.As(err, &notFound), "a section for a trigger that does not exist")
				for _, s := range notFound.Suggestions {
					if s.Command == "/"+e.Operator+" "+e.Trigger.Text {
						found++
					}
				}
			}
			t.Logf("%s: the right entry among the suggestions for %d of %d", path.Base(name), found, asked)
			require.GreaterOrEqual(t, float64(found), 0.9*float64(asked))
		})
	}
}
