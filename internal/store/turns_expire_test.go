package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
)

// leftOf are the sessions of a store with the number of their turns.
func leftOf(t *testing.T, dir string) map[string]int {
	t.Helper()
	left := map[string]int{}
	for _, r := range rows(t, dir) {
		left[r.Session]++
	}
	return left
}

// Expire deletes turns older than the days of their project, once a day, also for projects recorded
// earlier. Other projects keep theirs.
func TestExpire(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		dir := place(t)
		s := aged(t, dir) // turns of 5 days, up to noon
		expire := func(days map[string]int, now time.Time) store.Pruned {
			t.Helper()
			p, err := s.Expire(t.Context(), days, now)
			require.NoError(t, err)
			return p
		}
		day := func(n int) time.Time { return noon.AddDate(0, 0, n) }

		require.Equal(t, 2, expire(map[string]int{"/one": 3, "/two": 0}, day(0)).Turns)
		require.Equal(t, map[string]int{"one": 4, "two": 6, "global": 6}, leftOf(t, dir))
		require.Zero(t, expire(map[string]int{"/one": 1, "": 1}, day(0).Add(time.Hour)), "it was done today")
		require.Zero(t, expire(nil, day(1)), "who knows of no project changes nothing")
		require.Equal(t, 3+5, expire(map[string]int{"/other": 1}, day(1)).Turns, "what was noted earlier counts")
		require.Equal(t, map[string]int{"one": 1, "two": 6, "global": 1}, leftOf(t, dir))
		require.Zero(t, expire(map[string]int{"/two": 1 << 40, "/one": 0, "": 0}, day(900)))
		require.Equal(t, 6, expire(map[string]int{"/two": 180}, day(901)).Turns)
		require.Equal(t, map[string]int{"one": 1, "global": 1}, leftOf(t, dir))
		require.NoError(t, s.Close())
	})
}

// Of processes that look at the same time one deletes.
func TestOneExpiresADay(t *testing.T) {
	sideBySide(t, func(t *testing.T, place newStore) {
		dir := place(t)
		first := aged(t, dir)
		second := open(t, dir)
		now := noon.AddDate(1, 0, 0)
		days := map[string]int{"/" + strings.Repeat("x", 300): 1, "/one": 1}
		found := make(chan int)
		for _, s := range []*store.Store{first, second} {
			go func() {
				p, err := s.Expire(t.Context(), days, now)
				if err != nil {
					p.Turns = -100
				}
				found <- p.Turns
			}()
		}
		require.Equal(t, 6, <-found+<-found)
		require.NoError(t, first.Close())
		require.NoError(t, second.Close())
	})
}
