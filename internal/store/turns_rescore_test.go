package store_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
)

// Among turns with the same words, a turn ranks higher by the question before it, by its speaker, by
// its length and by the rest of its session.
func TestTurnsAreRescored(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		say := func(role, session string, number int, text string) store.Turn {
			said := turn(session, number, text)
			said.Role = role
			return said
		}
		for _, test := range []struct {
			name, query   string
			before, after string
			turns         []store.Turn
		}{
			{"an answer", "why does the wombat dig", "b/2", "a/2", []store.Turn{
				say("user", "a", 1, "why does the wombat dig!"), say("user", "a", 2, "since it is a burrowing animal"),
				say("user", "b", 1, "why does the wombat dig?"), say("user", "b", 2, "since it is a burrowing animal"),
			}},
			{"a named speaker", "what did Caroline say of the wombat", "b/1", "a/1", []store.Turn{
				say("Melanie", "a", 1, "Caroline, the wombat digs"), say("Caroline", "b", 1, "Caroline, the wombat digs"),
			}},
			{"a longer turn", "wombat", "b/1", "a/1", []store.Turn{
				say("user", "a", 1, "a wombat, it is so"), say("user", "b", 1, "wombats burrow everywhere, underground, surreptitiously"),
			}},
			{"a session with more", "wombat dig cellar", "b/1", "a/1", []store.Turn{
				say("user", "a", 1, "the wombat is here"), say("user", "a", 2, "one"), say("user", "a", 3, "two"),
				say("user", "b", 1, "the wombat is here"), say("user", "b", 2, "one"), say("user", "b", 3, "two"), say("user", "b", 4, "the wombat digs in a cellar"),
			}},
		} {
			t.Run(test.name, func(t *testing.T) {
				ctx := context.Background()
				s := open(t, place(t))
				_, err := s.AddCaptured(ctx, store.Captured{Turns: test.turns})
				require.NoError(t, err)
				hits, err := s.SearchTurns(ctx, store.Query{Text: test.query})
				require.NoError(t, err)
				at := func(uuid string) int {
					return slices.IndexFunc(hits, func(h store.TurnHit) bool { return h.UUID == uuid })
				}
				require.GreaterOrEqual(t, at(test.before), 0)
				require.Less(t, at(test.before), at(test.after))
			})
		}
	})
}
