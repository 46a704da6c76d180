package delivery_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/delivery"
	"whence/internal/learning"
	"whence/internal/pgtest"
	"whence/internal/postgres"
	"whence/internal/store"
)

// newDatabase is a store of its own on a server, with a member of the team ferry.
func newDatabase(t *testing.T, server *pgtest.Server, login string) *pgtest.Database {
	db := server.Database(t, "office")
	_, err := postgres.Init(t.Context(), db.URL(pgtest.Superuser))
	require.NoError(t, err)
	_, err = postgres.Admit(t.Context(), db.URL(pgtest.Superuser), "ferry", login, "member")
	require.NoError(t, err)
	return db
}

// A store that was made anew under the same URL is another one, however much stands in it: the
// copy becomes what it has.
func TestRefreshFromAnotherStore(t *testing.T) {
	pgtest.Require(t)
	server := pgtest.StartOwn(t, pgtest.Options{})
	t.Setenv("PGPASSFILE", server.Passfile())
	login := server.Login(t, "ann")
	_, p := newPlace(t)
	see(t, p, project)
	ids := map[string]bool{}
	for i, lessons := range [][]int{{1, 2}, {3, 4, 5, 6}} {
		db := newDatabase(t, server, login)
		s, err := postgres.Open(t.Context(), db.URL(login))
		require.NoError(t, err)
		for _, n := range lessons {
			_, err := s.Put(t.Context(), lesson(n), store.Observation{})
			require.NoError(t, err)
		}
		is, err := s.Identity(t.Context())
		require.NoError(t, err)
		require.Equal(t, "ferry", is.Team)
		require.Equal(t, login, is.Login)
		require.GreaterOrEqual(t, is.Revision, int64(len(lessons)))
		require.NoError(t, s.Close())
		ids[is.Store] = true
		require.Len(t, ids, i+1)
		line := delivery.NewServer(func(ctx context.Context, _ string) (*store.Store, error) { return postgres.Open(ctx, db.URL(login)) })
		require.NoError(t, delivery.Refresh(t.Context(), p, line))
		require.NoError(t, line.Close())
		here := all(t, p.Dir())
		require.Len(t, here, len(lessons))
		for _, n := range lessons {
			require.Contains(t, here, learning.ID(lesson(n).Description))
		}
	}
}
