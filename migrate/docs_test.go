package migrate_test

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/textdiff"
	"whence/internal/trigger"
	"whence/migrate"
)

var updateDocs = flag.Bool("update-docs", false, "write the results of the example in docs/migrate.md anew")

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

// TestDocumentedExample runs the example of docs/migrate.md.
func TestDocumentedExample(t *testing.T) {
	const name = "../docs/migrate.md"
	src, err := os.ReadFile(name)
	require.NoError(t, err)
	block := func(kind string) *regexp.Regexp { return regexp.MustCompile("(?ms)^```" + kind + "\n(.*?)^```$") }
	dir := t.TempDir()
	archive := txtar.Parse([]byte(block("txtar").FindStringSubmatch(string(src))[1]))
	require.NotEmpty(t, archive.Files)
	tree := fstest.MapFS{}
	for _, f := range archive.Files {
		tree[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	require.NoError(t, os.CopyFS(dir, tree))
	outcome, err := migrate.Run(tree, config.Default(), nil)
	require.NoError(t, err)

	var stdout, stderr strings.Builder
	env := cli.Env{Args: []string{"memory-migrate"}, Dir: dir, Getenv: func(string) string { return "" }, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr}
	require.Equal(t, cli.Found, migrate.Main(env))
	require.Equal(t, textdiff.Unified(config.DefaultIndex, outcome.Before, outcome.After), stdout.String())
	got := block("diff").ReplaceAllLiteralString(string(src), "```diff\n"+stdout.String()+"```")
	got = block("text").ReplaceAllLiteralString(got, "```text\n"+stderr.String()+"```")
	if *updateDocs {
		require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
		return
	}
	require.Equal(t, string(src), got)
}
