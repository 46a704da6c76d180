package migrate_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/trigger"
)

// change is a row of the table of changes in docs/migrate.md.
var change = regexp.MustCompile(`(?m)^\| [^|]+ \| ([^|]+) \| ([^|]+) \|$`)

func TestDocumentedTriggers(t *testing.T) {
	src, err := os.ReadFile("../docs/migrate.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(src), "| what changes | title | trigger |\n| --- | --- | --- |\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	rows := change.FindAllStringSubmatch(table, -1)
	require.Len(t, rows, 7)
	for _, row := range rows {
		_, words := trigger.Derive(row[1], "", 20)
		require.Equal(t, row[2], strings.Join(words, " "), row[1])
	}
}
