package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
)

// Rows that are ruled out before they are read would be no hits.
func TestNoHitIsRuledOut(t *testing.T) {
	s := open(t, filled(t, 2000))
	g := newGenerator(11)
	found := 0
	for i := range 60 {
		q := store.Query{Text: g.sentence(1 + i%20), Project: "/home/somebody/project2/.git", Everywhere: i%2 == 0, Unasked: i%3 == 0}
		all := search(t, s, q)
		for _, demand := range []store.Query{{Evidence: store.MinEvidence}, {Evidence: store.MinEvidence / 2}, {Words: 2}, {Words: 3, Evidence: .4}} {
			var want []string
			for _, h := range all {
				if h.Evidence >= demand.Evidence && len(h.Words) >= demand.Words {
					want = append(want, h.ID)
				}
			}
			q.Evidence, q.Words = demand.Evidence, demand.Words
			require.ElementsMatch(t, want, ids(search(t, s, q)), "%+v", q)
			found += len(want)
		}
	}
	require.Greater(t, found, 1000)
}
