package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
)

// The learnings with which a session begins are counted.
func TestReadLearnings(t *testing.T) {
	text := learning.Render([]learning.Candidate{
		{Learning: learning.Learning{Name: "Locks", Description: "one lock a file", Category: learning.Patterns, Confidence: learning.Low}},
		{Learning: learning.Learning{Name: "Retries hide timeouts", Description: "retries hide timeouts", Category: learning.AntiPatterns, Confidence: learning.High}},
	}, 2)
	var titles []string
	for _, item := range itemsIn(text) {
		titles = append(titles, item.Title)
	}
	require.Equal(t, []string{"Retries hide timeouts", "Locks"}, titles)
}
