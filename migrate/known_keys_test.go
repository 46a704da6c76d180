package migrate

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/test/repotest"
)

// A line with a dash after each word is read quickly: its key is no longer than a title.
func TestLinesOfDashes(t *testing.T) {
	for _, dash := range dashes {
		tree := fstest.MapFS{
			"agents/decisions/a.md": &fstest.MapFile{Data: []byte("# A\n\n## One\n\nx\n\n## Two\n\ny\n")},
			config.DefaultIndex:     &fstest.MapFile{Data: []byte("# Memory Index\n\n## agents/decisions/a.md\n\nOne — text of the one\n> Two" + strings.Repeat(dash+"x", 60_000) + "\n")},
		}
		repotest.RequireBrief(t, "a line with"+dash, func() {
			outcome, err := Run(tree, config.Default())
			require.NoError(t, err)
			require.Equal(t, 1, outcome.count(migrated))
			require.Equal(t, 1, outcome.count(kept))
		})
	}
}
