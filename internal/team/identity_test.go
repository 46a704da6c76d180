package team_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/store/postgres"
	"whence/internal/team"
	"whence/internal/test/pgtest"
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
		line := team.NewServer(func(ctx context.Context, _ string) (*store.Store, error) { return postgres.Open(ctx, db.URL(login)) })
		require.NoError(t, p.Refresh(t.Context(), line))
		require.NoError(t, line.Close())
		here := all(t, p.Dir())
		require.Len(t, here, len(lessons))
		for _, n := range lessons {
			require.Contains(t, here, learning.ID(lesson(n).Description))
		}
	}
}

// What was done for one team is never told to another, and its learnings are not shown there.
func TestALoginThatChangesItsTeam(t *testing.T) {
	pgtest.Require(t)
	ctx := t.Context()
	server := pgtest.StartOwn(t, pgtest.Options{})
	t.Setenv("PGPASSFILE", server.Passfile())
	login := server.Login(t, "ann")
	db := newDatabase(t, server, login)
	away := false
	connect := func() *team.Server { // a new one does not wait after the failures of the last
		return team.NewServer(func(ctx context.Context, _ string) (*store.Store, error) {
			if away {
				return nil, store.ErrUnusable
			}
			return postgres.Open(ctx, db.URL(login))
		})
	}
	line := connect()
	_, p := newPlace(t)
	see(t, p, project)
	put := func(n int) {
		t.Helper()
		l := lesson(n)
		_, _, err := scopeOf(p).Apply(ctx, line, store.Operation{Kind: store.OpPut, Learning: &l}, nil)
		require.NoError(t, err)
	}
	put(1) // by it the copy knows the team
	require.NoError(t, line.Close())
	away = true
	line = connect()
	put(2)
	away = false
	line = connect()
	owner := db.URL(pgtest.Superuser)
	require.NoError(t, postgres.Dismiss(ctx, owner, "ferry", login))
	_, err := postgres.Admit(ctx, owner, "quay", login, "member")
	require.NoError(t, err)

	_, err = p.Send(ctx, line)
	require.ErrorContains(t, err, "is put aside: made for the team ferry; this login is in the team quay now")
	_, err = p.Send(ctx, line)
	require.NoError(t, err)
	require.NoError(t, p.Refresh(ctx, line))
	require.Empty(t, all(t, p.Dir()))
	s, err := postgres.Open(ctx, db.URL(login))
	require.NoError(t, err)
	count, err := s.Count(ctx, store.Filter{Everywhere: true})
	require.NoError(t, err)
	require.Zero(t, count)
	require.NoError(t, s.Close())
	kept := pending(t, p)
	require.Len(t, kept, 1, "nothing is lost")
	require.Equal(t, lesson(2).Description, kept[0].Learning.Description)
	require.Equal(t, "ferry", kept[0].Team)
	require.NoError(t, line.Close())
}

// What the server has done is in the copy, even if it does not say afterwards which team that was for:
// it may have failed in between.
func TestDoneButNotForWhichTeam(t *testing.T) {
	pgtest.Require(t)
	server := pgtest.StartOwn(t, pgtest.Options{})
	t.Setenv("PGPASSFILE", server.Passfile())
	login := server.Login(t, "ann")
	db := newDatabase(t, server, login)
	_, err := db.Open(t, pgtest.Superuser).Exec(`REVOKE SELECT ON whence.version FROM whence_member; GRANT SELECT (number) ON whence.version TO whence_member`)
	require.NoError(t, err)
	line := team.NewServer(func(ctx context.Context, _ string) (*store.Store, error) { return postgres.Open(ctx, db.URL(login)) })
	_, p := newPlace(t)
	_, delayed := write(t, p, line, putting(lesson(1)))
	require.NoError(t, delayed)
	s, err := postgres.Open(t.Context(), db.URL(login))
	require.NoError(t, err)
	_, err = s.Identity(t.Context())
	require.Error(t, err, "so that this tests anything")
	require.NoError(t, s.Close())
	require.Contains(t, all(t, p.Dir()), learning.ID(lesson(1).Description))
	require.NoError(t, line.Close())
}
