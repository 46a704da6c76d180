package eval_test

import (
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/dispatch"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

// conversation is one with an agent in an invented project. One that decides something has the prompt of a later day for
// which that matters.
type conversation struct {
	ID, Date string
	Turns    []struct{ Role, Text string }
	Prompt   string
}

// evalPastSessions asks which sessions a prompt's hook names: of 30 conversations in which something is decided, among
// 150 others of the same project, at prompts that hang on them and at everyday ones.
func evalPastSessions(t *testing.T) []figure {
	read := func(name string) []conversation {
		return repotest.JSONLines[conversation](t, filepath.Join("testdata", "conversations", name+".jsonl"))
	}
	s, err := store.Open(t.Context(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	deciding := read("deciding")
	for _, c := range append(slices.Clone(deciding), read("others")...) {
		day, err := time.Parse(time.DateOnly, c.Date)
		require.NoError(t, err)
		var turns []store.Turn
		for i, turn := range c.Turns {
			turns = append(turns, store.Turn{
				Session: c.ID, UUID: c.ID + "/" + string(rune('a'+i)), Role: turn.Role, Text: turn.Text,
				At: day.Add(time.Duration(i) * time.Minute), Project: "parcelo",
			})
		}
		_, err = storetest.AddTurns(t.Context(), s, store.Transcript{Path: c.ID}, turns...)
		require.NoError(t, err)
	}
	const lines = 2
	named := func(prompt string) (sessions []string) {
		hits, err := s.SearchSessions(t.Context(), store.Query{Text: prompt, Scope: store.Scope{Project: "parcelo"}, MinWords: 2})
		require.NoError(t, err)
		for _, h := range hits {
			if h.P >= dispatch.PromptLimits.Session && len(sessions) < lines {
				sessions = append(sessions, h.ID)
			}
		}
		return sessions
	}
	var found, shown, needless float64
	for _, c := range deciding {
		sessions := named(c.Prompt)
		shown += float64(len(sessions))
		if slices.Contains(sessions, c.ID) {
			found++
		}
	}
	everyday := read("everyday")
	for _, c := range everyday {
		needless += float64(len(named(c.Prompt)))
	}
	of := func(measure string, sum float64, asked []conversation) figure {
		return figure{Evaluation: "past sessions", Measure: measure, Questions: len(asked), Value: sum / float64(len(asked)), FullText: math.NaN()}
	}
	reached := of("the one that decides is named", found, deciding)
	where := of("lines at prompts that hang on one", shown, deciding)
	where.Smaller = true
	noise := of("lines at everyday prompts", needless, everyday)
	noise.Smaller, noise.Aim = true, 0.15
	return []figure{reached, where, noise}
}
