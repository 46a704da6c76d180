package validate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"whence/docs"
	"whence/internal/decision"
	"whence/internal/textdiff"
	"whence/validate"
)

// TestChecksDocument requires a section of docs/checks.md for each rule. The findings that it
// shows are those of the archive of the rule, which TestChecks runs.
func TestChecksDocument(t *testing.T) {
	const name = "../docs/checks.md"
	src, err := os.ReadFile(name)
	require.NoError(t, err)
	for _, rule := range validate.Rules() {
		row := "| [" + rule.Name + "](#" + rule.Name + ") | " + rule.Summary + " |"
		require.True(t, strings.Contains(string(src), row), "the table of docs/checks.md has no line %q", row)
		section, found := docs.Check(rule.Name)
		require.True(t, found, "docs/checks.md has no section on %s", rule.Name)
		if rule.Name == "not-memory" { // which an archive, without git, cannot show
			continue
		}
		shown := findingsIn(section)
		require.NotEmpty(t, shown, "docs/checks.md has no example of %s", rule.Name)
		require.Empty(t, textdiff.Unified(rule.Name, []byte(wanted(t, rule.Name)), []byte(shown)))
	}
	sections := 0
	for _, h := range decision.Parse(name, src).Headings {
		if h.Level == 2 {
			sections++
		}
	}
	require.Equal(t, len(validate.Rules()), sections, "a section about no rule")
}

// findingsIn returns the block of findings in a section, or "".
func findingsIn(section string) string {
	_, rest, _ := strings.Cut(section, "```text\n")
	shown, _, _ := strings.Cut(rest, "```")
	return shown
}

// wanted returns the findings of the archive of a rule.
func wanted(t *testing.T, rule string) string {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "rules", rule+".txtar"))
	require.NoError(t, err)
	for _, f := range archive.Files {
		if f.Name == "want" {
			return string(f.Data)
		}
	}
	return ""
}
