package validate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/repotest"
	"whence/validate"
)

// Moved behind a stray "<!--", a title with "-->" would close a comment and hide the
// entries between: that fix is not made, and not offered.
func TestFixThatWouldHideEntries(t *testing.T) {
	tree := repotest.Tree(map[string]string{
		"agents/decisions/api.md": "# API\n\n## One\nC.\n\n## Two --> b\nC.\n\n## Three\nC.\n",
		config.DefaultIndex: "Run `/when x`.\n\n## agents/decisions/api.md\n\n" +
			"/when b b | Two --> b | one two three four five six seven\n<!-- todo: reorder\n" +
			"/when a a | One | one two three four five six seven\n/when c c | Three | one two three four five six seven\n",
	})
	result, err := validate.Fix(tree, config.Default(), true)
	require.NoError(t, err)
	require.Empty(t, result.Changes)
	require.Len(t, result.Left, 1)
	require.Nil(t, result.Left[0].Fix)
}
