package store_test

import (
	"context"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
)

func turn(session string, i int, text string) store.Turn {
	return store.Turn{Session: session, UUID: fmt.Sprint(session, "/", i), Role: "user", Text: text, At: noon}
}

func TestATurnIsStoredOnce(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		dir := place(t)
		s := open(t, dir)
		batch := []store.Turn{turn("a", 1, "one"), turn("a", 2, "two"), turn("b", 1, "one of another"), turn("a", 1, "one again")}
		for _, want := range []int{3, 0} {
			added, err := s.AddCaptured(ctx, store.Captured{Turns: batch})
			require.NoError(t, err)
			require.Equal(t, want, added)
		}
		added, err := s.AddCaptured(ctx, store.Captured{Turns: nil})
		require.NoError(t, err)
		require.Zero(t, added)
		hits, err := s.SearchTurns(ctx, store.Query{Text: "one again"})
		require.NoError(t, err)
		require.Len(t, hits, 3)
		requireSound(t, dir)
	})
}

// Whatever the batches, the column nearby holds the two turns before and the two after.
func TestNeighbours(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		random := rand.New(rand.NewSource(1))
		rounds := 30
		for i := range rounds {
			dir := place(t)
			if i >= 5 && onServer(dir) { // where each takes a database of its own
				break
			}
			s := open(t, dir)
			said := map[string][]string{}
			var batch []store.Turn
			for i := range 40 {
				session := string(rune('a' + random.Intn(3)))
				text := fmt.Sprint("word", i)
				said[session] = append(said[session], text)
				batch = append(batch, turn(session, i, text))
				if random.Intn(4) == 0 {
					if random.Intn(3) == 0 { // and one that has grown
						said[session][len(said[session])-1] += " again"
						batch = append(batch, turn(session, i, text+" again"))
					}
					_, err := s.AddCaptured(ctx, store.Captured{Turns: batch})
					require.NoError(t, err)
					batch = batch[max(0, len(batch)-random.Intn(3)):]
				}
			}
			_, err := s.AddCaptured(ctx, store.Captured{Turns: batch})
			require.NoError(t, err)
			db := raw(t, dir)
			for session, texts := range said {
				for i, text := range texts {
					var nearby string
					require.NoError(t, db.QueryRow(`SELECT coalesce(nearby, '0') FROM turns WHERE session = $1 AND text = $2`, session, text).Scan(&nearby))
					want := slices.Concat(texts[max(0, i-2):i], texts[i+1:min(len(texts), i+3)])
					require.Equal(t, strings.Join(want, "\n"), nearby, "%s %d of %v", session, i, texts)
				}
			}
			requireSound(t, dir)
		}
	})
}

// A turn more is to cost the same in a long session and in a short one.
func BenchmarkOneMore(b *testing.B) {
	ctx := context.Background()
	s, err := store.Open(ctx, b.TempDir())
	require.NoError(b, err)
	defer s.Close()
	g := newGenerator(8)
	var long []store.Turn
	for i := range 1900 { // of 2,000 that may be
		long = append(long, turn("long", i, g.sentence(20)))
	}
	_, err = s.AddCaptured(ctx, store.Captured{Turns: long})
	require.NoError(b, err)
	n := 20_000
	for _, session := range []string{"long", "short"} {
		b.Run(session, func(b *testing.B) {
			for range b.N {
				n++
				_, err := s.AddCaptured(ctx, store.Captured{Turns: []store.Turn{turn(session, n, g.sentence(20))}})
				require.NoError(b, err)
			}
		})
	}
}

// What a query does not want does not stand in the way of what it wants.
func TestUnwantedTurnsTakeNoPlace(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		s := open(t, place(t))
		said := turn("a", 1, "connect the vpn before you deploy the staging cluster")
		said.Kind = "prompt"
		turns := []store.Turn{said}
		for i := range 30 {
			run := turn("b", 10+i, fmt.Sprintf("[Bash] make deploy staging cluster number%d", i))
			run.Kind = "bash"
			turns = append(turns, run, turn("c", 100+i, fmt.Sprintf("staging staging staging%d", i)))
		}
		_, err := s.AddCaptured(ctx, store.Captured{Turns: turns})
		require.NoError(t, err)
		q := store.Query{Text: "make the staging cluster ready, deploy it again", Everywhere: true, Most: 1}
		hits, err := s.SearchTurns(ctx, q)
		require.NoError(t, err)
		require.Equal(t, "bash", hits[0].Kind)
		q.NoKinds, q.Words = []string{"bash"}, 2
		hits, err = s.SearchTurns(ctx, q)
		require.NoError(t, err)
		require.Len(t, hits, 1)
		require.Equal(t, said.UUID, hits[0].UUID)
	})
}

func TestTurnsAreFoundByThoseBesideThem(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		s := open(t, place(t))
		here, there := turn("a", 1, "why does the deploy of the wombat fail?"), turn("b", 1, "the wombat sleeps")
		here.Project, there.Project = "/here", "/there"
		answer := turn("a", 2, "the runner has no disk left")
		answer.Project = "/here"
		_, err := s.AddCaptured(ctx, store.Captured{Turns: []store.Turn{here, answer, there, turn("c", 1, "wombats everywhere")}})
		require.NoError(t, err)
		texts := func(q store.Query) (found []string) {
			t.Helper()
			hits, err := s.SearchTurns(ctx, q)
			require.NoError(t, err)
			for _, h := range hits {
				require.True(t, h.Evidence > 0 && h.Evidence <= 1)
				found = append(found, h.Text)
			}
			return found
		}
		require.ElementsMatch(t, []string{here.Text, answer.Text, "wombats everywhere"}, texts(store.Query{Text: "wombat", Project: "/here"}))
		require.ElementsMatch(t, []string{there.Text, "wombats everywhere"}, texts(store.Query{Text: "wombat", Project: "/there"}))
		require.Equal(t, []string{"wombats everywhere"}, texts(store.Query{Text: "wombat"}))
		require.Len(t, texts(store.Query{Text: "wombat", Everywhere: true}), 4)
		require.Len(t, texts(store.Query{Text: "wombat", Everywhere: true, Most: 2}), 2)
		require.Empty(t, texts(store.Query{Text: "wombat", Everywhere: true, Evidence: 1.1}))
		require.Empty(t, texts(store.Query{Text: "zebra", Everywhere: true}))
	})
}

func TestSessionsThatSpeakOfSomething(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		s := open(t, place(t))
		var turns []store.Turn
		for i := range 12 { // none of these says much of it, but together they do
			turns = append(turns, turn("much", i, fmt.Sprint("and then the wombat did thing", i, " in the cellar")))
		}
		turns = append(turns, turn("once", 1, "the wombat"), turn("once", 2, "of something else"), turn("never", 1, "the weather is fine"))
		for i := range 300 {
			turns = append(turns, turn("noise", i, fmt.Sprint("nothing to see here ", i)))
		}
		_, err := s.AddCaptured(ctx, store.Captured{Turns: turns})
		require.NoError(t, err)
		hits, err := s.SearchSessions(ctx, store.Query{Text: "wombat"})
		require.NoError(t, err)
		require.Len(t, hits, 2)
		require.Equal(t, "much", hits[0].Session)
		require.Len(t, hits[0].Turns, 3)
		require.Equal(t, "once", hits[1].Session)
		require.Greater(t, hits[0].Score, hits[1].Score)

		// the score of the best turn, plus 0.15 of the sum of those among the best 30
		all, err := s.SearchTurns(ctx, store.Query{Text: "wombat"})
		require.NoError(t, err)
		want := map[string]float64{}
		for i, h := range all {
			if want[h.Session] == 0 {
				want[h.Session] = h.Score
			}
			if i < 30 {
				want[h.Session] += 0.15 * h.Score
			}
		}
		for _, h := range hits {
			require.InDelta(t, want[h.Session], h.Score, 1e-12)
			require.GreaterOrEqual(t, h.Turns[0].Score, h.Turns[len(h.Turns)-1].Score)
		}
		hits, err = s.SearchSessions(ctx, store.Query{Text: "wombat", Most: 1})
		require.NoError(t, err)
		require.Len(t, hits, 1)
		require.Equal(t, "much", hits[0].Session)
		hits, err = s.SearchSessions(ctx, store.Query{Text: "zebra"})
		require.NoError(t, err)
		require.Empty(t, hits)
	})
}

// The answer to a turn is the best of its session before the user speaks again, the last of
// several.
func TestAnswer(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		s := open(t, place(t))
		var turns []store.Turn
		for i, said := range []struct {
			kind string
			rank int
		}{{"prompt", 70}, {"answer", 45}, {"answer", 25}, {"bash", 50}, {"answer", 45}, {"answer", 40}, {"prompt", 70}, {"answer", 90}, {"prompt", 70}, {"answer", 25}} {
			next := turn("a", i, fmt.Sprint(said.kind, " number", i))
			next.Kind, next.Rank = said.kind, said.rank
			turns = append(turns, next)
		}
		foreign := turn("a", 10, "a word of another repository")
		foreign.Kind, foreign.Rank, foreign.Project = "answer", 90, "/other"
		turns = append(turns, foreign, store.Turn{Session: "b", UUID: "b/0", Role: "assistant", Kind: "answer", Text: "elsewhere", Rank: 90, At: noon})
		_, err := s.AddCaptured(ctx, store.Captured{Turns: turns})
		require.NoError(t, err)
		for asked, want := range map[string]string{"number0": "a/4", "number6": "a/7", "number8": ""} {
			hits, err := s.SearchTurns(ctx, store.Query{Text: asked, Everywhere: true})
			require.NoError(t, err)
			require.True(t, strings.HasSuffix(hits[0].Text, asked), hits[0].Text)
			answer, known, err := s.Answer(ctx, hits[0], "answer", 40, []string{"prompt", "command"})
			require.NoError(t, err)
			require.Equal(t, want != "", known)
			require.Equal(t, want, answer.UUID)
			if known {
				require.Equal(t, want, fmt.Sprint("a/", answer.Number-1))
			}
		}
	})
}
