package validate_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/test/repotest"
	"whence/validate"
)

// faultyFerry is the example memory with the faults of its patch.
func faultyFerry(t *testing.T) fstest.MapFS {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		repotest.Missing(t, "git", err.Error())
	}
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../examples/ferry")))
	patch, err := filepath.Abs("../examples/ferry-faults.patch")
	require.NoError(t, err)
	for _, args := range [][]string{{"init", "-q", "."}, {"apply", patch}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return repotest.MarkdownTree(t, dir)
}

// The example is clean, and large enough to be one.
func TestExampleIsClean(t *testing.T) {
	tree := repotest.MarkdownTree(t, "../examples/ferry")
	found, err := validate.Run(tree, config.Default())
	require.NoError(t, err)
	require.Empty(t, print(t, found))
	semantic, withSituations := 0, 0
	for name, file := range tree {
		if name != config.DefaultIndex {
			f := decision.Parse(name, file.Data)
			withSituations += len(f.Situations)
			for _, h := range f.Headings {
				if h.Semantic() {
					semantic++
				}
			}
		}
	}
	require.Equal(t, 170, semantic)
	require.Equal(t, 61, withSituations)
}

// Each planted fault is found, and all of them can be fixed.
func TestExampleFaults(t *testing.T) {
	tree := faultyFerry(t)
	found, err := validate.Run(tree, config.Default())
	require.NoError(t, err)
	printed := print(t, found)
	require.Equal(t, map[string]int{
		"consumption-header": 1, "duplicate-trigger": 1, "entry-order": 1, "missing-entry": 2, "situations-format": 2,
		"trigger-format": 1, "unknown-header": 1, "wrong-section": 1,
	}, countRules(strings.Split(strings.TrimSpace(printed), "\n")))
	require.Len(t, requireFix(t, tree, config.Default(), validate.Allow{}).Left, 3)
	require.Empty(t, requireFix(t, tree, config.Default(), validate.Allow{Unsafe: true}).Left)
}

// No more than 100 examples are checked, however many a line has.
func TestManyExamples(t *testing.T) {
	preamble := "# M\n\nExample: " + strings.Repeat("`/when alpha beta` ", 60) + "\nExample: " + strings.Repeat("`/when alpha beta` ", 60) + "\n"
	tree := fstest.MapFS{
		"agents/decisions/a.md": {Data: []byte("# A\n\n## B\n\nText.\n")},
		config.DefaultIndex:     {Data: []byte(preamble + "\n## agents/decisions/a.md\n\n/when b | B | one two three four five six seven eight\n")},
	}
	found, err := validate.Run(tree, config.Default())
	require.NoError(t, err)
	examples := slices.DeleteFunc(found, func(f finding.Finding) bool { return !strings.Contains(f.Message, "no entry answers the example") })
	require.Len(t, examples, 100)
}
