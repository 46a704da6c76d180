package textdiff

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// applied makes changes to the lines of a text.
func applied(t *testing.T, lines []string, changes []Change) (after []string) {
	at := 0
	for i, c := range changes {
		require.True(t, i == 0 || c.Start > at, "an unchanged line is between two changes")
		after = append(append(after, lines[at:c.Start]...), c.New...)
		at = c.End
	}
	return append(after, lines[at:]...)
}

// Searching only shared lines is another way to the same text.
func TestChanges(t *testing.T) {
	random := rand.New(rand.NewSource(3))
	text := func(own string) (lines []string) {
		for range random.Intn(12) {
			lines = append(lines, []string{"a\n", "b\n", "c\n", own + "\n", own + own + "\n"}[random.Intn(5)])
		}
		return lines
	}
	for range 5000 {
		before, after := text("x"), text("y")
		for _, searchAll := range []bool{true, false} {
			require.Equal(t, after, applied(t, before, changes(before, after, searchAll)))
		}
	}
}
