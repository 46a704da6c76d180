package team_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/team"
)

// Turns that fail for good hold up no others.
func TestTurnsThatFail(t *testing.T) {
	o := newOffice(t)
	home, p := newPlace(t)
	o.look(t, func(*store.Store) {})
	db, err := sql.Open("sqlite", filepath.Join(o.dir, "memory.db"))
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec(`CREATE TRIGGER poison BEFORE INSERT ON turns WHEN NEW.text = 'poison' BEGIN SELECT RAISE(ABORT, 'poisoned'); END`)
	require.NoError(t, err)
	for _, text := range []string{"poison", "water", "wine"} {
		require.NoError(t, p.EnqueueTurns(store.Captured{Session: text, Project: project, Turns: []store.Turn{{UUID: text, Role: "user", Text: text}}}))
	}
	n, err := p.Send(t.Context(), o.server(t))
	require.ErrorContains(t, err, "poisoned")
	require.Equal(t, 2, n)
	requireWaiting(t, p, 0)

	_, err = db.Exec(`DROP TRIGGER poison`)
	require.NoError(t, err)
	_, err = team.Retry(home)
	require.NoError(t, err)
	n, err = p.Send(t.Context(), o.server(t))
	require.NoError(t, err)
	require.Equal(t, 1, n)
	o.look(t, func(s *store.Store) {
		st, err := s.Stats(t.Context(), noon)
		require.NoError(t, err)
		require.Equal(t, 3, st.Turns)
	})
}
