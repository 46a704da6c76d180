package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Statements of both engines are put together with what an engine returns where they differ: one
// that spells out what SQLite alone has would be wrong, or without its index, in PostgreSQL.
func TestNoStatementSpellsOutWhatDiffers(t *testing.T) {
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		if strings.HasPrefix(name, "sqlite") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		text := strings.ToLower(strings.Join(strings.Fields(string(src)), " "))
		for _, fragment := range []string{"on conflict (", "on conflict(", "lower(e.name)"} {
			require.False(t, strings.Contains(text, fragment), "%s: %s", name, fragment)
		}
	}
}
