package eval_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/test/repotest"
	"whence/migrate"
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

func count(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
