package store_test

import (
	"context"
	"fmt"
	"strings"
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

// The words of a learning are looked up in the newest rows that have them, and others are alike.
func TestAnOldDuplicateIsFoundAmongManyAlike(t *testing.T) {
	s := open(t, t.TempDir())
	old := put(t, s, "", "always restart the conveyor controller after replacing the gasket of the hydraulic cylinder")
	g := newGenerator(5)
	for i := range 420 { // each word is in more rows than are looked up, except gasket
		alike := []string{"the hydraulic conveyor controller", "restart after replacing the cylinder"}[i%2]
		if i < 150 {
			alike += " gasket"
		}
		put(t, s, "", fmt.Sprintf("%s %s %d", alike, g.sentence(6), i))
	}
	again := learned("Restart the conveyor controller after replacing the gaskets of the hydraulic cylinder.")
	out, err := s.Put(context.Background(), again, store.Observation{At: noon})
	require.NoError(t, err)
	require.Equal(t, strings.Join(old, ""), out.ID)
	require.True(t, out.Reinforced && out.Near)
}
