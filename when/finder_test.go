package when_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/validate"
	"whence/when"
)

// A finder leads where recall does, for every trigger and title of the example.
func TestFinderLeadsAsRecallDoes(t *testing.T) {
	tree := memories(t)["ferry"]
	l, err := when.Open(tree, config.Default())
	require.NoError(t, err)
	finder, err := when.NewFinder(tree, config.Default())
	require.NoError(t, err)
	asked := 0
	for e := range entries(tree) {
		for _, query := range []string{e.Trigger.Text, e.Title.Text, e.Description.Text} {
			recalled, err := l.Recall(query, 10)
			require.NoError(t, err)
			leads := finder.Leads(query)
			require.Len(t, leads, len(recalled), query)
			for i, r := range recalled {
				require.Equal(t, when.Lead{Operator: r.Operator, Trigger: r.Trigger, File: r.File, Title: r.Title}, leads[i], query)
			}
			asked++
		}
	}
	require.Positive(t, asked)
	require.Empty(t, finder.Leads("the of and"), "no word to go by")
}

// A finder of a memory that was read before is one of its tree.
func TestFinderOf(t *testing.T) {
	tree := memories(t)["ferry"]
	ofTree, err := when.NewFinder(tree, config.Default())
	require.NoError(t, err)
	m, err := validate.Load(tree, config.Default())
	require.NoError(t, err)
	ofMemory, err := when.FinderOf(m)
	require.NoError(t, err)
	require.NotEmpty(t, ofTree.Entries())
	require.Equal(t, ofTree.Entries(), ofMemory.Entries())
	for _, e := range ofTree.Entries() {
		require.Equal(t, ofTree.Leads(e.Title), ofMemory.Leads(e.Title))
	}
}
