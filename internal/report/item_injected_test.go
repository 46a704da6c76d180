package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
)

// What a session begins with is counted, as it is printed now and as version 0.1.0 printed it.
func TestReadLearnings(t *testing.T) {
	now := learning.Render([]learning.Candidate{
		{Learning: learning.Learning{Name: "Locks", Description: "one lock a file", Category: learning.Patterns, Confidence: learning.Low}},
		{Learning: learning.Learning{Name: "Retries hide timeouts", Description: "retries hide timeouts", Category: learning.AntiPatterns, Confidence: learning.High}},
	}, 2)
	before := "## Engineering Memory (from knowledge bank)\n\n*Memory: 2 entries from 2 | semantic: active (vector=0, fts5=0) | context: \"none\" | model: none*\n\n" +
		"### Anti-Patterns to Avoid\n### Anti-Pattern: Retries hide timeouts\nretries hide timeouts\n- Observation count: 1\n- Confidence: high\n\n" +
		"### Patterns to Follow\n### Pattern: Locks\none lock a file\n- Observation count: 1\n- Confidence: low\n\n---\n"
	for _, text := range []string{now, before} {
		var titles []string
		for _, item := range itemsIn(text) {
			titles = append(titles, item.Title)
		}
		require.Equal(t, []string{"Retries hide timeouts", "Locks"}, titles)
	}
}
