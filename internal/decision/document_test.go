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

// What was decided comes first, then why, without what is about the record.
func TestDecided(t *testing.T) {
	const why, decided = "Jobs block requests.", "Each queue is a stream."
	for _, src := range []string{
		"# 7. Queues\n\nDate: 2021-03-04\n\n## Status\n\nAccepted\n\n## Context\n\n" + why + "\n\n## Decision\n\n" + decided + "\n\n## Consequences\n\nOne more service.\n",
		"# Queues\n<!-- situations:\na b\n-->\n* Status: accepted\n* Deciders: Ada\n\n## Context and Problem Statement\n\n" + why + "\n\n## Decision Outcome\n\n" + decided + "\n",
		"# Queues\n\n## Context\n" + why + "\n## Our decision:\n* Date: 2021\n\n" + decided + "\n",
	} {
		require.Equal(t, decided+"\n\n"+why, decision.ParseDocument("a.md", []byte(src)).Decided())
	}
	nested := "# Queues\n\n## Decision\n\n" + decided + "\n\n### Decision\n\nRedis.\n\n## Context\n\n" + why + "\n"
	require.Equal(t, decided+"\n\n### Decision\n\nRedis.\n\n"+why, decision.ParseDocument("a.md", []byte(nested)).Decided(), "each chapter once")
	require.Equal(t, decided, decision.ParseDocument("a.md", []byte("# Queues\n\n**Status:** accepted\n\n"+decided+"\n")).Decided())
}

// The line that closes front matter does not belong to its last value.
func TestFrontMatterEnds(t *testing.T) {
	for _, src := range []string{"---\ntitle: A\n---\n", "---\ntitle: A\n...\n", "+++\ntitle = \"A\"\n+++\n"} {
		require.Equal(t, map[string]string{"title": "A"}, decision.FrontMatter([]byte(src)), src)
	}
}
