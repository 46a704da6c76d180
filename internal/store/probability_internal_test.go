package store

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
)

func TestProbability(t *testing.T) {
	for _, test := range []struct {
		name              string
		evidence, covered float64
		words, asked      int
		learning, turn    float64
	}{
		{"all of a short text", 1, 0.5, 3, 3, 0.92, 0.88},
		{"most of a short text", 0.8, 0.3, 3, 5, 0.61, 0.55},
		{"two words of a long text", 0.6, 0.1, 2, 30, 0.003, 0.001},
		{"many words of a long text", 0.9, 0.4, 12, 30, 0.90, 0.61},
		{"nothing of the name", 0.8, 0, 3, 5, 0.04, 0.55},
		{"no shared word", 0, 0, 0, 5, 0, 0},
		{"one word is all", 1, 1, 1, 1, 0.85, 0.74},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.InDelta(t, test.learning, learningGate.probability(test.evidence, test.covered, test.words, test.asked), 0.01)
			require.InDelta(t, test.turn, turnGate.probability(test.evidence, test.covered, test.words, test.asked), 0.01)
		})
	}
}

func TestHitsHaveAProbability(t *testing.T) {
	ctx := context.Background()
	s, err := Open(ctx, t.TempDir())
	require.NoError(t, err)
	defer s.Close()
	at := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	_, err = s.Import(ctx, []learning.Learning{{
		Name: "The wombat digs at night", Description: "Feed the wombat before the evening.", Reasoning: "It sleeps in the day.",
		Category: "heuristics", Confidence: learning.High, Source: learning.Manual,
	}}, at)
	require.NoError(t, err)
	_, err = s.AddCaptured(ctx, Captured{Turns: []Turn{{Session: "a", UUID: "a/1", Role: "user", Kind: "prompt", Text: "the wombat digs at night", At: at}}})
	require.NoError(t, err)
	for text, least := range map[string]float64{"wombat digs at night": 0.8, "wombat, and many other things, which none of the stored texts have any word of, for long": 0} {
		q := Query{Text: text, Everywhere: true}
		learnings, err := s.Search(ctx, q)
		require.NoError(t, err)
		turns, err := s.SearchTurns(ctx, q)
		require.NoError(t, err)
		require.InDelta(t, least+0.1, learnings[0].P, 0.1)
		require.InDelta(t, least+0.1, turns[0].P, 0.1)
	}
}
