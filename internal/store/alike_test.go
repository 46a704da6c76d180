package store_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/test/pgtest"
)

// Both engines rank alike: the same learnings and turns, in the same order, with the same
// scores and the same evidence.
func TestEnginesRankAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	pgtest.Require(t)
	ctx := context.Background()
	const count = 200
	var stores [2]*store.Store
	for i, place := range []string{t.TempDir(), newDatabase(t)} {
		s, err := openAt(ctx, place)
		require.NoError(t, err)
		t.Cleanup(func() { s.Close() })
		fill(t, s, count)
		stores[i] = s
	}
	g := newGenerator(7)
	found := 0
	for i := range 40 {
		q := store.Query{Text: g.sentence(1 + i%30), Most: 10, Everywhere: i%3 > 0, Project: "/home/somebody/project2/.git", Unasked: i%4 == 0}
		switch i % 10 {
		case 0:
			q.Text += " größe don't retryCount the"
		case 1:
			q.Evidence = store.MinEvidence
		}
		var want, got []string
		for j, s := range stores {
			var all []string
			hits, err := s.Search(ctx, q)
			require.NoError(t, err)
			for _, h := range hits {
				all = append(all, fmt.Sprintf("%s %.6f %.6f %.6f %v", h.ID, h.Score, h.Evidence, h.Covered, h.Words))
			}
			turns, err := s.SearchTurns(ctx, q)
			require.NoError(t, err)
			for _, h := range turns {
				all = append(all, fmt.Sprintf("%s %.6f %.6f %d/%d %v", h.UUID, h.Score, h.Evidence, h.Number, h.Total, h.Words))
			}
			sessions, err := s.SearchSessions(ctx, q)
			require.NoError(t, err)
			for _, h := range sessions {
				all = append(all, fmt.Sprintf("%s %.6f %d", h.Session, h.Score, len(h.Turns)))
			}
			if j == 0 {
				want = all
			} else {
				got = all
			}
		}
		require.Equal(t, want, got, "%+v", q)
		found += len(want)
	}
	require.Greater(t, found, 300)
}
