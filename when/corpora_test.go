package when_test

import (
	"iter"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/index"
	"whence/internal/test/repotest"
	"whence/migrate"
	"whence/when"
)

// memories are memories in today's format, to which older ones are migrated.
func memories(t *testing.T) map[string]fstest.MapFS {
	all := repotest.Memories(t, "seedformat", "lessons", "head", "conventions", "seedtime")
	for _, tree := range all {
		outcome, err := migrate.Run(tree, config.Default())
		require.NoError(t, err)
		tree[config.DefaultIndex] = &fstest.MapFile{Data: outcome.After}
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

func ask(t testing.TB, l *when.Lookup, text string) (when.Answer, error) {
	t.Helper()
	q, err := when.ParseQuery(text)
	require.NoError(t, err, text)
	return l.Resolve(q)
}

// Every trigger leads to its whole section. Every related line has an answer when it is asked as printed.
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
