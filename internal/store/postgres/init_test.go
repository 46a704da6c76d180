package postgres_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/store/postgres"
	"whence/internal/test/pgtest"
)

// Who owns a database, and may make roles, needs no superuser.
func TestInitByAnOwner(t *testing.T) {
	pgtest.Require(t)
	server := pgtest.StartOwn(t, pgtest.Options{})
	t.Setenv("PGPASSFILE", server.Passfile())
	db := server.Database(t, "owned")
	owner, ann := server.Login(t, "owner"), server.Login(t, "ann")
	super := db.Open(t, pgtest.Superuser)
	for _, statement := range []string{`ALTER ROLE %s CREATEROLE`, `ALTER DATABASE ` + db.Name + ` OWNER TO %s`} {
		_, err := super.Exec(fmt.Sprintf(statement, owner))
		require.NoError(t, err)
	}
	made, err := postgres.Init(t.Context(), db.URL(owner))
	require.NoError(t, err)
	require.True(t, made.New)
	if server.HasVector(t) {
		require.Contains(t, made.NoVector, "a superuser has to add it")
	}
	made, err = postgres.Init(t.Context(), db.URL(pgtest.Superuser))
	require.NoError(t, err)
	require.False(t, made.New)
	require.Equal(t, server.HasVector(t), made.Vector != "", made.NoVector)
	for login, isNew := range map[string]bool{ann: false, owner: false, "somebody_new": true} {
		is, err := postgres.Admit(t.Context(), db.URL(owner), "ferry", login, "member")
		require.NoError(t, err)
		require.Equal(t, isNew, is)
	}
	for _, login := range []string{ann, owner} {
		s, err := postgres.Open(t.Context(), db.URL(login))
		require.NoError(t, err)
		_, err = s.Put(t.Context(), learned("the "+login+" looks after the berths"), store.Observation{})
		require.NoError(t, err)
		count, err := s.Count(t.Context(), store.Filter{Everywhere: true})
		require.NoError(t, err)
		require.Positive(t, count)
		require.NoError(t, s.Close())
	}
	var above bool
	require.NoError(t, super.QueryRow(`SELECT pg_has_role($1, 'whence', 'USAGE')`, owner).Scan(&above))
	require.False(t, above, "row-level security holds for the owner too")
	require.NoError(t, postgres.Dismiss(t.Context(), db.URL(owner), "ferry", ann))
}
