package team_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/team"
)

// noteDays notes how long turns are kept, as a worker does that has worked for a project.
func noteDays(t testing.TB, p *team.Replica, days map[string]int) {
	t.Helper()
	look(t, p.Dir(), func(s *store.Store) { require.NoError(t, p.NoteDays(t.Context(), s, days)) })
}

// The server deletes turns that are older than they are kept, once a day, as a machine says
// that works for the project: one that does not says nothing of it.
func TestOldTurnsGoOnTheServer(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	_, idle := newPlace(t)
	say(t, p, "old", time.Now().AddDate(0, 0, -10), 1)
	say(t, p, "new", time.Now(), 2)
	_, err := p.Send(t.Context(), o.server(t))
	require.NoError(t, err)
	require.NoError(t, idle.Refresh(t.Context(), o.server(t)))
	require.Equal(t, 2, turnsIn(t, o.dir), "nobody has said how long they are kept")

	noteDays(t, p, map[string]int{project: 3, "github.com/acme/other": 0})
	noteDays(t, p, map[string]int{project: 7})
	st, err := p.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[string]int{project: 7, "github.com/acme/other": 0}, st.Days)
	require.NoError(t, p.Refresh(t.Context(), o.server(t)))
	require.Equal(t, 1, turnsIn(t, o.dir))
	st, err = p.Status(t.Context())
	require.NoError(t, err)
	require.Empty(t, st.Days, "it was told")

	say(t, p, "late", time.Now().AddDate(0, 0, -10), 3)
	noteDays(t, p, map[string]int{project: 7})
	_, err = p.Send(t.Context(), o.server(t))
	require.NoError(t, err)
	require.NoError(t, p.Refresh(t.Context(), o.server(t)))
	require.Equal(t, 2, turnsIn(t, o.dir), "once a day")
}
