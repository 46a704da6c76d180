package validate_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/test/repotest"
	"whence/internal/words"
	"whence/validate"
)

// TestDraftsOfCorpora drafts an entry for each heading and record of real memories. All drafts are valid, say
// something, and are recognized as drafts.
func TestDraftsOfCorpora(t *testing.T) {
	for name, tree := range draftedTrees(t) {
		t.Run(name, func(t *testing.T) {
			c := config.Default()
			if strings.HasPrefix(name, "adr/") {
				c.Documents = []string{"**/*.md", "!" + config.DefaultIndex}
			}
			m, err := validate.Load(tree, c)
			require.NoError(t, err)
			e := validate.NewEditor(m, c)
			var drafts []validate.Insertion
			for _, missing := range e.Missing() {
				entry := missing.Entry()
				if entry.Title.Text == "Superseder" { // all that it says is "Lorem ipsum": adopt adds words
					continue
				}
				drafts = append(drafts, missing.Insertion)
				if slices.ContainsFunc(decision.Sentences(string(missing.Heading.File.Body(missing.Heading.Number))), func(s decision.Sentence) bool { return words.Count(s.Text) > 5 && !strings.HasSuffix(s.Text, ":") }) {
					require.Greater(t, words.Count(entry.Description.Text), 2, missing.Text)
				}
				require.NotContains(t, entry.Description.Text, "** ", missing.Text)
			}
			require.NotEmpty(t, drafts)
			after, err := e.Insert(drafts...)
			require.NoError(t, err)
			for _, f := range validate.Check(after, c) {
				require.NotContains(t, []string{"word-count", "trigger-format", "entry-syntax"}, f.Rule, f.Message)
			}
			n := validate.CountWording(after, c)
			require.Equal(t, n.Without, n.Drafts)
		})
	}
}

// draftedTrees are real memories with an empty index, by name.
func draftedTrees(t *testing.T) map[string]fstest.MapFS {
	all := trees(t)
	for _, folder := range []string{"languages", "adr"} {
		entries, err := os.ReadDir(repotest.Shared(t, "corpora/"+folder))
		require.NoError(t, err)
		for _, entry := range entries {
			if entry.IsDir() && entry.Name() != "instructions" {
				all[folder+"/"+entry.Name()] = repotest.MarkdownTree(t, repotest.Shared(t, "corpora/"+folder+"/"+entry.Name()))
			}
		}
	}
	all["conventions"] = repotest.MarkdownTree(t, repotest.Shared(t, "corpora/conventions"))
	for _, tree := range all {
		tree[config.DefaultIndex] = &fstest.MapFile{Data: []byte("# Index\n")}
	}
	return all
}
