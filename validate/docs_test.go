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
	"whence/validate"
)

// TestChecksDocument requires a section of docs/checks.md for each rule. The findings that it
// shows are those of the archive of the rule, which TestChecks runs.
func TestChecksDocument(t *testing.T) {
	const name = "../docs/checks.md"
	src, err := os.ReadFile(name)
	require.NoError(t, err)
	for _, rule := range validate.Rules() {
		require.Contains(t, string(src), "| ["+rule.Name+"](#"+rule.Name+") | "+rule.Summary+" |")
		section, found := docs.Check(rule.Name)
		require.True(t, found, "docs/checks.md has no section on %s", rule.Name)
		if shown := findingsIn(section); shown != "" {
			require.Equal(t, wanted(t, rule.Name), shown)
		}
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
