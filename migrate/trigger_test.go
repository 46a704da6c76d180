package migrate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The triggers of all lines of an index differ, whatever their titles have in common.
func TestTriggersOfAnIndexAreUnique(t *testing.T) {
	var lines, headings strings.Builder
	for i := range 40 {
		title := fmt.Sprintf("Retry policy %s", strings.Repeat("x", i%8)+strings.Repeat(" pattern", i/8))
		fmt.Fprintf(&headings, "## %s\nC.\n\n", title)
		fmt.Fprintf(&lines, "%s — keywords\n", title)
	}
	tree := memoryOf(lines.String(), headings.String())
	seen := map[string]bool{}
	for _, r := range planOf(t, tree) {
		require.Equal(t, migrated, r.kind(), r.why)
		require.False(t, seen[r.trigger], r.trigger)
		seen[r.trigger] = true
	}
	require.Len(t, seen, 40)
}
