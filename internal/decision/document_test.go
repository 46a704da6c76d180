package decision_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
)

func TestParseDocument(t *testing.T) {
	for _, c := range []struct {
		name, path, src string
		title           string
		body            string
		phrases         []string
	}{
		{"the first H1", "docs/adr/0007-use-a-queue.md", "# 7. Use a queue\n\n## Status\n\nAccepted\n\n# Not this\n", "7. Use a queue", "\n## Status\n\nAccepted\n\n# Not this\n", nil},
		{"setext", "a.md", "Use a queue\n===\nYes.\n", "Use a queue", "Yes.\n", nil},
		{"text before the H1", "a.md", "* Status: draft\n\n# Use a queue\nYes.\n", "Use a queue", "Yes.\n", nil},
		{"front matter", "a.md", "---\nstatus: accepted\ntitle: 'Use a queue'\n---\nYes.\n", "Use a queue", "Yes.\n", nil},
		{"the H1 before front matter", "a.md", "---\ntitle: Other\n---\n# Use a queue\n", "Use a queue", "", nil},
		{"no title", "docs/adr/0007-use-a-queue.md", "## Context\n", "Use a queue", "## Context\n", nil},
		{"a date", "20200925-use_A queue.md", "", "Use A queue", "", nil},
		{"a date with marks", "2020-09-25-use-a-queue.md", "", "Use a queue", "", nil},
		{"instructions for Copilot", ".github/instructions/python.instructions.md", "Use types.\n", "Python", "Use types.\n", nil},
		{"a name of a number", "0007.md", "", "0007", "", nil},
		{"prefix", "ADR-0007-use-a-queue.mdx", "", "Use a queue", "", nil},
		{"a title with a dot", "a.md", "# .NET everywhere\n", ".NET everywhere", "", nil},
		{"situations under the H1", "a.md", "# A\n\n<!-- situations:\nx y\n-->\n## B\n<!-- situations:\nz\n-->\n", "A", "\n<!-- situations:\nx y\n-->\n## B\n<!-- situations:\nz\n-->\n", []string{"x y"}},
		{"situations without an H1", "a.md", "---\nx: y\n---\n<!-- situations:\nx y\n-->\nB\n", "A", "<!-- situations:\nx y\n-->\nB\n", []string{"x y"}},
		{"code", "a-b.md", "```\n# No\n```\n", "A b", "```\n# No\n```\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := decision.ParseDocument(c.path, []byte(c.src))
			require.Len(t, f.Headings, 1)
			require.True(t, f.Headings[0].Semantic())
			require.Equal(t, c.title, f.Headings[0].Title)
			require.Equal(t, c.body, string(f.Body(0)))
			require.Equal(t, c.phrases, f.Phrases(0))
		})
	}
}

func TestSection(t *testing.T) {
	require.Equal(t, "docs/adr/", decision.ParseDocument("docs/adr/0001-a.md", nil).Section())
	require.Equal(t, "docs/a.md", decision.Parse("docs/a.md", nil).Section())
}
