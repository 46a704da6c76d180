package fences_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// Each row of the threat model names tests that exist.
func TestThreatModelNamesItsTests(t *testing.T) {
	root := repotest.Root(t)
	tests := map[string]bool{}
	require.NoError(t, filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		src, err := os.ReadFile(name)
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(string(src), -1) {
			tests[m[1]] = true
		}
		return err
	}))
	text, err := os.ReadFile(filepath.Join(root, "SECURITY.md"))
	require.NoError(t, err)
	rows := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 3 || strings.TrimSpace(cells[2]) == "test" || strings.Contains(cells[2], "---") {
			continue
		}
		rows++
		named := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[2], -1)
		require.NotEmpty(t, named, line)
		for _, n := range named {
			if strings.HasPrefix(n[1], "Test") {
				require.True(t, tests[n[1]], "%s names %s, which is no test", strings.TrimSpace(cells[0]), n[1])
			} else {
				_, err := os.Stat(filepath.Join(root, n[1]))
				require.NoError(t, err, line)
			}
		}
	}
	require.Greater(t, rows, 20)
}
