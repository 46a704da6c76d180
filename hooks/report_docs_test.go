package hooks_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The console example of docs/report.md, run over the scripted sessions in a copy of
// examples/ferry, prints what it shows.
func TestDocumentedReport(t *testing.T) {
	r := newReporter(t)
	documented(t, "../docs/report.md", func(command string) string {
		_, out, errs := r.run(strings.Fields(command)[2:]...)
		return out + errs
	})
}

// Each figure that is printed is defined in docs/report.md.
func TestEachFigureIsDefined(t *testing.T) {
	src, err := os.ReadFile("../docs/report.md")
	require.NoError(t, err)
	_, out, _ := newReporter(t).run("--since", "all")
	_, part, _ := strings.Cut(out, "by week\n")
	part, _, _ = strings.Cut(part, "\n\n")
	lines := strings.Split(part, "\n")
	require.Len(t, lines, 22)
	for _, line := range lines {
		name, _, _ := strings.Cut(strings.TrimSpace(line), "  ")
		require.Contains(t, string(src), "\n| "+name+" | ", name)
	}
}
