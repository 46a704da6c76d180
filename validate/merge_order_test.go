package validate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
	"whence/internal/index"
	"whence/validate"
)

// Whatever an index looks like, its lines only change places, and the second time none does.
func FuzzOrderEntries(f *testing.F) {
	entry := func(title string) string { return "/when " + title + " | " + title + " | x\n" }
	f.Add("## a.md\n\n"+entry("C")+entry("A")+"\n## b.md\n"+entry("B"), "# T\n## A\n## .S\n### B\n### C\n")
	f.Add("## a.md\r\n"+entry("B")+"text\n"+entry("A")+"<!--\n"+entry("C")+"-->", "## A\n## B\n## C\n")
	f.Add("## a.md\n<<<<<<< x\n"+entry("B")+"=======\n"+entry("A")+">>>>>>> y\n"+entry("A"), "## A\n## B\n")
	f.Add("\uFEFF## a.md\n"+entry("-->")+"<!--\n"+entry("A")+"/when A | A", "## A\n## -->\n")
	f.Fuzz(func(t *testing.T, src, file string) {
		if decision.TooDeep([]byte(file)) > 0 {
			t.Skip()
		}
		decisions := []*decision.File{decision.Parse("a.md", []byte(file)), decision.Parse("b.md", []byte(file))}
		ordered := validate.OrderEntries([]byte(src), decisions)
		require.Equal(t, sortedLines(src), sortedLines(string(ordered)))
		require.Equal(t, string(ordered), string(validate.OrderEntries(ordered, decisions)))
		if conflicts := index.Parse([]byte(src)).Conflicts; conflicts != nil {
			require.Equal(t, src, string(ordered))
		}
	})
}

// sortedLines are the lines of a text without their ends.
func sortedLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		lines = append(lines, strings.TrimRight(line, "\r\n"))
	}
	slices.Sort(lines)
	return lines
}
