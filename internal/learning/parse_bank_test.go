package learning_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
)

func TestParseBank(t *testing.T) {
	bank := "\ufeff# Bank\r\nintro\r\n\r\n### Pattern: Wrap errors\r\nAlways wrap errors:\r\n\r\n```go\r\n### no heading\r\n- no bullet\r\n```\r\n- Observation count: 4\r\n- Confidence: HIGH\r\n- Mood: fine\r\nafterthought\r\n" +
		"## Notes\n### Empty\n\n### Seen\nA\n<!-- gone\n### hidden too\n-->\ntext.\n- Observation count: many\n- Last observed: 2026-02-01\n"
	got, err := learning.ParseBank([]byte(bank), learning.Patterns)
	require.EqualError(t, err, `line 16: "Empty" has no description`)
	require.Equal(t, []learning.Learning{
		{
			ID: learning.ID("Always wrap errors:\n\n```go\n### no heading\n- no bullet\n```"), Name: "Wrap errors",
			Description: "Always wrap errors:\n\n```go\n### no heading\n- no bullet\n```",
			Category:    learning.Patterns, Confidence: learning.High, Source: learning.Import, Observations: 4,
		},
		{
			ID: learning.ID("A\ntext."), Name: "Seen", Description: "A\ntext.",
			Category: learning.Patterns, Confidence: learning.Medium, Source: learning.Import, Observations: 1,
			Updated: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC),
		},
	}, got)

	got, err = learning.ParseBank([]byte("### Anti-Pattern: A\na\n### Pattern: P\np\n### H\nh\n"), "")
	require.NoError(t, err)
	var categories []learning.Category
	for _, l := range got {
		categories = append(categories, l.Category)
	}
	require.Equal(t, []learning.Category{learning.AntiPatterns, learning.Patterns, learning.Heuristics}, categories)
}

// Marks of a comment in fenced code, a comment before a text and a line of hyphens hide nothing.
func TestCommentMarksInCode(t *testing.T) {
	got, err := learning.ParseBank([]byte("### Hide a draft\n```html\n<!-- draft\n```\n### Show it\n<!-- gone --> Remove\nthe marks.\n---\n### Not closed\nThe mark is <!-- and no more.\n"), "")
	require.NoError(t, err)
	var texts []string
	for _, l := range got {
		texts = append(texts, l.Name+": "+l.Description)
	}
	require.Equal(t, []string{"Hide a draft: ```html\n<!-- draft\n```", "Show it: Remove\nthe marks.\n---", "Not closed: The mark is <!-- and no more."}, texts)
	_, err = learning.ParseBank([]byte("### Open\nA text.\n<!-- draft\n### Hidden\nAnother text.\n"), "")
	require.EqualError(t, err, "line 3: this comment has no end: close it with -->")
}

func FuzzBank(f *testing.F) {
	f.Add("### a\n<!-- b -->\n```\n### c\n- d\n```\n- Confidence: high\n# e")
	f.Fuzz(func(t *testing.T, bank string) {
		all, _ := learning.ParseBank([]byte(bank), "")
		for _, l := range all {
			require.NotEmpty(t, l.Name)
			require.NotEmpty(t, l.Description)
		}
	})
}
