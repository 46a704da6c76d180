package validate_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"whence/docs"
	"whence/internal/decision"
	"whence/internal/textdiff"
	"whence/validate"
)

// block is a fenced block of a document.
var block = regexp.MustCompile("(?ms)^```(txtar|text|diff)\n(.*?)^```$")

// TestChecksDocument runs every example of docs/checks.md: its archive gives its
// output, and the fix its diff.
func TestChecksDocument(t *testing.T) {
	const name = "../docs/checks.md"
	src, err := os.ReadFile(name)
	require.NoError(t, err)
	got := string(src)
	for _, rule := range validate.Rules() {
		section, found := docs.Check(rule.Name)
		require.True(t, found, "docs/checks.md has no section on %s", rule.Name)
		require.Contains(t, got, "| ["+rule.Name+"](#"+rule.Name+") | "+rule.Summary+" |")
		got = strings.Replace(got, section, runExamples(t, rule.Name, section), 1)
	}
	sections := 0
	for _, h := range decision.Parse(name, src).Headings {
		if h.Level == 2 {
			sections++
		}
	}
	require.Equal(t, len(validate.Rules()), sections, "a section about no rule")
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
		return
	}
	require.Equal(t, string(src), got)
}

// runExamples returns the section of a rule with the results that the code gives for each
// of its examples.
func runExamples(t *testing.T, rule, section string) string {
	var out strings.Builder
	for i, part := range strings.SplitAfter(section, "**Example") {
		if i > 0 {
			part = runExample(t, rule, section, part)
		}
		out.WriteString(part)
	}
	return out.String()
}

func runExample(t *testing.T, rule, section, example string) string {
	blocks := map[string]string{}
	for _, match := range block.FindAllStringSubmatch(example, -1) {
		blocks[match[1]] = match[2]
	}
	tree := inputs(txtar.Parse([]byte(blocks["txtar"])))
	require.NotEmpty(t, tree, rule)
	c := settings(t, tree)
	if strings.Contains(section, "Off by default") {
		c.Enable = []string{rule}
	}
	found, err := validate.Run(tree, c)
	require.NoError(t, err)
	require.Contains(t, print(t, found), "["+rule+"]")

	result := requireFix(t, tree, c, validate.Allow{Unsafe: strings.Contains(section, "**Fix** (unsafe")})
	var diff strings.Builder
	for _, change := range result.Changes {
		diff.WriteString(textdiff.Unified(change.Path, change.Before, change.After))
	}
	_, shown := blocks["diff"]
	mends := false
	for _, f := range result.Fixed {
		mends = mends || f.Rule == rule
	}
	require.Equal(t, shown, mends, "%s: a diff is shown where the rule has a fix, and only there", rule)
	return block.ReplaceAllStringFunc(example, func(b string) string {
		switch {
		case strings.HasPrefix(b, "```text"):
			return "```text\n" + print(t, found) + "```"
		case strings.HasPrefix(b, "```diff"):
			return "```diff\n" + diff.String() + "```"
		}
		return b
	})
}
