package notes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

// Errors that are cut in a note are compared correctly, although numbers of other lengths move the cut.
func TestLongErrorsAreEqual(t *testing.T) {
	s := newStage(t, nil)
	s.start("startup")
	for i := range 6 {
		message := fmt.Sprintf("error %d of %s", 7*i*i*i*i*i*i, strings.Repeat("the migration of bookings ", 20))
		require.Equal(t, i%3 == 2, s.fail("make", message) != "", i)
	}
	require.Equal(t, 1, strings.Count(s.read(decisionsMD), "Lesson: "))
}

// A message that ends in an ellipsis, or that is cut within its first word, does not equal all others.
func TestMessagesThatSeemCutDiffer(t *testing.T) {
	for _, message := range []string{"Building…", strings.Repeat("x", 400)} {
		s := newStage(t, nil)
		s.start("startup")
		for i, other := range []string{message, "no space left on device", "permission denied: /var"} {
			require.Empty(t, s.fail("make", other), i)
		}
		require.NotContains(t, s.read(decisionsMD), "Lesson: ", message)
	}
}

// Names that differ only after the first 160 bytes differ.
func TestLongNamesDiffer(t *testing.T) {
	s := newStage(t, nil)
	s.start("startup")
	long := strings.Repeat("long/", 40)
	for _, name := range []string{"a", "b"} {
		s.edit(agent.Edit{Path: long + name + "/go.mod", New: "x"})
		s.edit(agent.Edit{Path: "agents/decisions/" + name + ".md", New: "## " + long + name + "\n"})
		s.fail("cd "+long+" && go test ./"+name, "no rule")
	}
	for _, name := range []string{"a", "b"} {
		require.Contains(t, s.read(decisionsMD), long+name+"/go.mod (dependencies)")
		require.Contains(t, s.read(decisionsMD), "“"+long+name+"”")
		require.Contains(t, s.read(errorsLog), "Attempt 1: cd "+long+" && go test ./"+name)
	}
}

// Code is not injected, whatever its lines begin with.
func TestCodeInNotes(t *testing.T) {
	s := newStage(t, map[string]string{findingsMD: "# Findings\n\n## Cache\n\n```sh\n# warm it\n- x | y\n## really\n```\n\n- it is cold\n  ~~~\n  # again\n  ~~~\n  for an hour\n- last\n"})
	require.Contains(t, s.start("startup"), "findings.md:\n- Cache: last\n- Cache: for an hour\n- Cache: it is cold\n")
}
