package migrate_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/trigger"
	"whence/migrate"
)

// rule is a row of the table of rules in docs/migrate.md.
var rule = regexp.MustCompile(`(?m)^\| ([a-z]+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$`)

func TestDocumentedRules(t *testing.T) {
	src, err := os.ReadFile("../docs/migrate.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(src), "| rule | matches a title that … | title | trigger |")
	require.True(t, found)
	rows := rule.FindAllStringSubmatch(table, -1)
	require.Len(t, rows, 14)
	tree := fstest.MapFS{}
	var index, decisions strings.Builder
	index.WriteString("## agents/decisions/a.md\n\n")
	decisions.WriteString("# A\n")
	for _, row := range rows {
		index.WriteString(row[2] + " — some keywords about the matter at hand\n")
		decisions.WriteString("\n## " + row[2] + "\nC.\n")
	}
	tree[config.DefaultIndex] = &fstest.MapFile{Data: []byte(index.String())}
	tree["agents/decisions/a.md"] = &fstest.MapFile{Data: []byte(decisions.String())}
	plan, err := migrate.New(tree, config.Default(), nil)
	require.NoError(t, err)
	require.Len(t, plan.Rows, len(rows))
	for i, row := range rows {
		require.Equal(t, row[3], plan.Rows[i].Trigger, "title %q", row[2])
		require.Equal(t, row[3], strings.Join(trigger.Derive(trigger.Section{Title: row[2]}).Words, " "))
		require.Contains(t, plan.Rows[i].Why, "trigger by rule "+row[1])
	}
}
