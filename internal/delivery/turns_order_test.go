package delivery_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/delivery"
	"whence/internal/spool"
	"whence/internal/store"
)

// Turns that fail hold back no others; but what prunes does not overtake them, or they would
// come back.
func TestTurnsThatFail(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	o.look(t, func(*store.Store) {})
	db, err := sql.Open("sqlite", filepath.Join(o.dir, "memory.db"))
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec(`CREATE TRIGGER poison BEFORE INSERT ON turns WHEN NEW.text = 'poison' BEGIN SELECT RAISE(ABORT, 'poisoned'); END`)
	require.NoError(t, err)
	for _, text := range []string{"poison", "water", "wine"} {
		require.NoError(t, delivery.AddTurns(p, store.Captured{Session: text, Project: project, Turns: []store.Turn{{UUID: text, Role: "user", Text: text}}}))
	}
	require.NoError(t, delivery.Add(p, delivery.Operation{Kind: delivery.Prune, At: noon, Prune: &store.PruneOptions{Session: "poison", Everywhere: true}}))
	n, err := delivery.Deliver(t.Context(), p, o.server(t))
	require.ErrorContains(t, err, "poisoned")
	require.ErrorIs(t, err, spool.ErrNotNow)
	require.Equal(t, 2, n)
	requireWaiting(t, p, 2)

	_, err = db.Exec(`DROP TRIGGER poison`)
	require.NoError(t, err)
	n, err = delivery.Deliver(t.Context(), p, o.server(t))
	require.NoError(t, err)
	require.Equal(t, 2, n)
	o.look(t, func(s *store.Store) {
		st, err := s.Stats(t.Context(), noon)
		require.NoError(t, err)
		require.Equal(t, 2, st.Turns)
	})
}
