package learning_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/text"
)

func TestParseBank(t *testing.T) {
	bank := "\ufeff# Bank\r\nintro\r\n\r\n### Pattern: Wrap errors\r\nAlways wrap errors:\r\n\r\n```go\r\n### no heading\r\n- no bullet\r\n```\r\n- Observation count: 4\r\n- Confidence: HIGH\r\n- Mood: fine\r\n- Reasoning: one\r\n  two\r\nafterthought\r\n" +
		"## Notes\n### Empty\n\n### <!-- hidden -->Seen\nA <!-- gone\n### hidden too\n-->text.\n- Observation count: many\n- Last observed: 2026-02-01\n"
	got, err := learning.ParseBank([]byte(bank), learning.Patterns)
	require.EqualError(t, err, `line 18: "Empty" has no description`)
	require.Equal(t, []learning.Learning{
		{
			ID: learning.ID("Always wrap errors:\n\n```go\n### no heading\n- no bullet\n```"), Name: "Wrap errors",
			Description: "Always wrap errors:\n\n```go\n### no heading\n- no bullet\n```", Reasoning: "one\ntwo",
			Category: learning.Patterns, Confidence: learning.High, Source: learning.Import, Observations: 4,
		},
		{
			ID: learning.ID("A \ntext."), Name: "Seen", Description: "A \n\ntext.",
			Category: learning.Patterns, Confidence: learning.Medium, Source: learning.Import, Observations: 1,
			Updated: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC),
		},
	}, got)

	_, err = learning.ParseBank(nil, "tips")
	require.EqualError(t, err, "invalid category 'tips'. Must be one of: anti-patterns, heuristics, patterns")

	got, err = learning.ParseBank([]byte("### Anti-Pattern: A\na\n### Pattern: P\np\n### H\nh\n## Patterns\n### Q\nq\n"), "")
	require.NoError(t, err)
	var categories []learning.Category
	for _, l := range got {
		categories = append(categories, l.Category)
	}
	require.Equal(t, []learning.Category{learning.AntiPatterns, learning.Patterns, learning.Heuristics, learning.Patterns}, categories)
}

// hard are texts that would be read as something else if they were written as they are.
var hard = []string{
	"### Heading\n# one\n## two\n#### four\n#hash", "- bullet\n\\- escaped\n\\\\- twice\n-", "```\nopen for ever", "```go\n### inside\n- too\n```\nafter\n~~~", "~~~\n```\n~~~\n```",
	"<!-- comment -->", "a <!-- b", `\<!-- x -->`, "  indented\n\n  - list\n\tcode", "Pattern: x", `\Pattern: y`, "Anti-Pattern: z", "a: b\n- Confidence: high\n---\n> q\n| t |", "trailing  \nblank lines\n\n\nend", "\\", "\\### x", "-->", "````\n```\n````",
}

func requireRoundTrip(t *testing.T, l learning.Learning) {
	t.Helper()
	l.Description, l.Reasoning = text.Clean(l.Description), text.Clean(l.Reasoning)
	l.Name = strings.Join(strings.Fields(text.Clean(l.Name)), " ")
	if l.Name == "" || l.Description == "" {
		return
	}
	l.ID = learning.ID(l.Description)
	other := learning.Learning{
		ID: learning.ID("after it"), Name: "After", Description: "after it", Category: l.Category,
		Confidence: learning.Medium, Source: learning.Import, Observations: 1,
	}
	bank := learning.FormatBank([]learning.Learning{l, other})
	got, err := learning.ParseBank(bank, "")
	require.NoError(t, err, "%s", bank)
	require.Equal(t, []learning.Learning{l, other}, got, "%s", bank)
	require.Equal(t, string(bank), string(learning.FormatBank(got)))
}

func TestBankRoundTrip(t *testing.T) {
	for _, c := range learning.Categories() {
		for _, text := range hard {
			requireRoundTrip(t, learning.Learning{
				Name: text, Description: text, Reasoning: text, Category: c, Confidence: learning.Low, Source: learning.SessionCapture,
				Keywords: []string{"a", "b-c"}, References: []string{"x.go, y.go", "https://example.com/<!--"}, Observations: 7,
				Created: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Updated: time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC),
			})
		}
	}
}

func FuzzBank(f *testing.F) {
	for _, text := range hard {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		requireRoundTrip(t, learning.Learning{Name: name, Description: text, Reasoning: name + "\n" + text, Category: learning.Patterns, Confidence: learning.High, Source: learning.Retro, Observations: 2})
		_, _ = learning.ParseBank([]byte(text), learning.Heuristics)
	})
}
