package remember_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/test/repotest"
	"whence/validate"
	"whence/when"
)

// An entry leads to the same heading for validate, memory-when and recall, however it names it.
func TestOneJoin(t *testing.T) {
	c := config.Default()
	c.Documents = []string{"docs/adr/*.md"}
	files := map[string]string{
		"agents/decisions/api.md":       "## Errors\n\nProblem documents for every failed request.\n\n## Libe\u0301rer le cache\n\nAvant chaque livraison.\n",
		"docs/adr/0007-use-a-queue.md":  "# Jobs\n\nWorkers wait for the tasks of a stream in redis.\n",
		"docs/adr/0008-mail-gateway.md": "# Jobs\n\nLetters are sent through the gateway of the post.\n",
	}
	for name, test := range map[string]struct {
		section, title, file string
		rules                []string
	}{
		"by title":                     {"agents/decisions/api.md", "ERRORS", "agents/decisions/api.md", nil},
		"composed":                     {"agents/decisions/api.md", "Lib\u00e9rer le cache", "agents/decisions/api.md", nil},
		"by title, elsewhere":          {"docs/adr/", "Errors", "agents/decisions/api.md", []string{"wrong-section"}},
		"document by title":            {"docs/adr/", "Jobs", "docs/adr/0007-use-a-queue.md", nil},
		"document by alias":            {"docs/adr/", "Mail gateway", "docs/adr/0008-mail-gateway.md", nil},
		"document by alias, elsewhere": {"agents/decisions/api.md", "Mail gateway", "docs/adr/0008-mail-gateway.md", []string{"wrong-section"}},
		"alias, in no file's section":  {"agents/decisions/gone.md", "Use a queue", "docs/adr/0007-use-a-queue.md", []string{"wrong-section"}},
	} {
		t.Run(name, func(t *testing.T) {
			tree := fstest.MapFS{}
			files["agents/memory-index.md"] = "# Memory Index\n\nRun `/when <trigger>` to see a decision.\n\n## " + test.section + "\n\n/when handling zebra stripes | " + test.title + " | eight words that describe what was decided here\n"
			for name, file := range repotest.Tree(files) {
				tree[name] = file
			}
			l, err := when.Open(tree, c)
			require.NoError(t, err)
			q, err := when.ParseQuery("handling zebra stripes")
			require.NoError(t, err)
			answer, err := l.Resolve(q)
			require.NoError(t, err)
			require.Equal(t, test.file, answer.File)

			recalled := l.Recall("zebra stripes", 5)
			require.Len(t, recalled, 1)
			require.Equal(t, test.file, recalled[0].File)

			m, err := validate.Load(tree, c)
			require.NoError(t, err)
			found := validate.Check(m, c)
			var rules []string
			for _, f := range found {
				if f.Rule != "missing-entry" {
					rules = append(rules, f.Rule)
				}
			}
			require.Equal(t, test.rules, rules, found)
		})
	}
}
