package validate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/test/repotest"
)

// Moved behind a stray "<!--", a title with "-->" would close a comment and hide the
// entries between: that fix is not made, and takes no other with it.
func TestFixesBesideOneThatCannotBeMade(t *testing.T) {
	tree := repotest.Tree(map[string]string{
		"agents/decisions/api.md": "# API\n\n## One\nC.\n\n## Two --> b\nC.\n\n## Three\nC.\n",
		"agents/decisions/web.md": "# Web\n\n## Four\nC.\n\n## Five\nC.\n",
		config.DefaultIndex: "Run `/when x`.\n\n## agents/decisions/api.md\n\n" +
			"/when b b | Two --> b | one two three four five six seven\n<!-- todo: reorder\n" +
			"/when a a | One | one two three four five six seven\n/when c c | Three | one two three four five six seven\n\n" +
			"## agents/decisions/web.md\n\n/when Doing  E | Five | one two three four five six seven\n/when doing d | Four | one two three four five six seven\n",
	})
	result, err := fix(tree, config.Default(), false)
	require.NoError(t, err)
	require.Len(t, result.Changes, 1)
	require.Contains(t, string(result.Changes[0].After), "\n/when doing d | Four | one two three four five six seven\n/when doing e | Five | ")
	require.Contains(t, string(result.Changes[0].After), "/when b b | Two --> b | one two three four five six seven\n<!-- todo: reorder\n", "what would hide lines stays")
	require.Len(t, result.Left, 1)
	require.Nil(t, result.Left[0].Fix)
}
