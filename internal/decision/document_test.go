package decision_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
	"whence/internal/test/repotest"
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
	for _, facts := range []string{"State: Accepted\nDecision-Status: done", "> Status: Accepted, Date: 2020-02-02", "Stato: Accettato\nData: 2020-01-01\nAutori: Ugo", "**Statut :** Accepté  **Date :** 2020", "Статус: Заменено Дата: 2021", "状态：已接受"} {
		require.Equal(t, decided, decision.ParseDocument("a.md", []byte("# Queues\n\n"+facts+"\n\n"+decided+"\n")).Decided(), facts)
	}
	prose := "Data: rows of a table.\n\nState: it is kept in one row."
	require.Equal(t, prose, decision.ParseDocument("a.md", []byte("# Queues\n\n"+prose+"\n")).Decided())
}

// The line that closes front matter does not belong to its last value.
func TestFrontMatterEnds(t *testing.T) {
	for _, src := range []string{"---\ntitle: A\n---\n", "---\ntitle: A\n...\n", "+++\ntitle = \"A\"\n+++\n"} {
		require.Equal(t, map[string]string{"title": "A"}, decision.FrontMatter([]byte(src)), src)
	}
}

// YAML is read by its own rules, and a value that is not YAML costs only itself.
func TestFrontMatterValues(t *testing.T) {
	bomb := "a: &a [x, x]\n"
	for name := 'b'; name <= 'z'; name++ {
		bomb += fmt.Sprintf("%c: &%c [*%c, *%c]\n", name, name, name-1, name-1)
	}
	for src, want := range map[string]string{
		"title: 'Don''t retry writes'":                   "Don't retry writes",
		`title: "Use \"strict\" mode"`:                   `Use "strict" mode`,
		`title: "Gr\u00f6\u00dfe\e[31m\0"`:               "Größe [31m",
		"title: |\n  Two\n  lines":                       "Two lines",
		"title: >-\n  Two\n\n  lines":                    "Two lines",
		"title: Two\n  lines # no comment":               "Two lines",
		"'Title': A":                                     "A",
		"title: A#1 # a comment":                         "A#1",
		"title: [A, \"B, C\"]":                           "A, B, C",
		"title:\n- A\n- B: c\n- D":                       "A, D",
		"title: ~":                                       "",
		"title: {a: b}":                                  "",
		"title: &t A\nother: *t":                         "A",
		"x: &t A\ntitle: *t":                             "",
		"title: A\n" + bomb:                              "A",
		"title: A\nx: *.ts":                              "A",
		"title: A\nx: \"open\ny: b":                      "A",
		"x: b: c\ntitle: A":                              "A",
		"\tx\ntitle: A":                                  "A",
		"title: Redis: the cache":                        "Redis: the cache",
		"title: **/*.ts":                                 "**/*.ts",
		"title: 'open":                                   "",
		"title: \"open\n  \\q":                           "",
		"title: A\n" + strings.Repeat("x: b: c\n", 8000): "A",
		"title: A\n" + strings.Repeat("x: b: c\n", 9000): "",
		"title: A\nx: " + strings.Repeat("[", 60_000):    "A",
		"title: A\n" + strings.Repeat("? ", 30_000):      "",
		"title: A\nx: " + strings.Repeat("{a: ", 15_000): "A",
		"- title: A":                                     "",
		"a text":                                         "",
		"":                                               "",
		"title: A\n---\ntitle: B":                        "A",
		"title: A\ntitle: B":                             "B",
		"TITLE: A\r":                                     "A",
		"title: \xff":                                    "\xff",
	} {
		repotest.RequireBrief(t, fmt.Sprintf("%.80q", src), func() {
			require.Equal(t, want, decision.FrontMatter([]byte("---\n" + src + "\n---\nA text.\n"))["title"], "%.80q", src)
		})
	}
	f := decision.ParseDocument("a.md", []byte("---\ntitle: 'Don''t retry writes'\nstatus: \"superseded\"\nx: *.ts\n---\nA text.\n"))
	require.Equal(t, "Don't retry writes", f.Headings[0].Title)
	require.Equal(t, decision.Superseded, f.Status().Kind)
}

// JSON is read as JSON: with escapes.
func TestFrontMatterOfJSON(t *testing.T) {
	values := decision.FrontMatter([]byte("{\"title\": \"Use \\\"strict\\\" mode\", \"status\": \"accept\\u00e9\", \"tags\": [\"a\", \"b\"], \"n\": 3}\n\ntext\n"))
	require.Equal(t, map[string]string{"title": `Use "strict" mode`, "status": "accepté", "tags": "a, b", "n": "3"}, values)
}
