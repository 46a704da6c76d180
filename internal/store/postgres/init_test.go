package postgres_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
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
	require.Equal(t, 3, made.Now)
	if server.HasVector(t) {
		require.Contains(t, made.NoVector, "a superuser has to add it")
	}
	made, err = postgres.Init(t.Context(), db.URL(pgtest.Superuser))
	require.NoError(t, err)
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

// Init counts the words of a store of version 1 anew, while a program of that version is
// connected: it cannot write any more, and takes that for a server that cannot be used now.
func TestInitOfAnOlderStore(t *testing.T) {
	ctx := t.Context()
	db := database(t)
	s := member(t, db, "ferry", "ann")
	_, err := s.Put(ctx, learned("retried requests of the harbour office need jitter"), store.Observation{})
	require.NoError(t, err)
	_, err = s.AddCaptured(ctx, store.Captured{Turns: []store.Turn{{Session: "s", UUID: "u", Role: "user", Text: "the naïve scheduler skips berths", At: noon}}})
	require.NoError(t, err)
	super := db.Open(t, pgtest.Superuser)
	_, err = super.Exec(`SET search_path = whence; UPDATE version SET number = 1;
		DROP FUNCTION index_entries(bigint[], text[], integer[]), index_turns(bigint[], text[], integer[]), ranked, counted, refresh_statistics;
		ALTER FUNCTION set_words_of_entries(bigint[], text[], integer[]) RENAME TO index_entries;
		ALTER FUNCTION set_words_of_turns(bigint[], text[], integer[]) RENAME TO index_turns;
		UPDATE entries SET tsv = 'retri:20', words = 1; UPDATE turns SET tsv = 'naiv:10', words = 1; UPDATE words SET rows = 7; UPDATE totals SET words = 7`)
	require.NoError(t, err)
	made, err := postgres.Init(ctx, db.URL(pgtest.Superuser))
	require.NoError(t, err)
	require.Equal(t, 1, made.Before)
	require.Equal(t, 3, made.Now)
	hits, err := s.Search(ctx, store.Query{Text: "retrying jitter", Everywhere: true})
	require.NoError(t, err)
	require.Len(t, hits, 1)
	turns, err := s.SearchTurns(ctx, store.Query{Text: "naive berth", Everywhere: true})
	require.NoError(t, err)
	require.Len(t, turns, 1)
	c, err := s.Check(ctx, time.Now())
	require.NoError(t, err)
	require.Empty(t, c.Faults)
	for _, statement := range []string{`SELECT whence.index_entries('{1}', '{x}', '{1}')`, `SELECT whence.index_turns('{1}', '{x}', '{1}')`} {
		_, err = super.Exec(statement)
		require.ErrorIs(t, postgres.Explain(err), store.ErrUnusable)
	}
	made, err = postgres.Init(ctx, db.URL(pgtest.Superuser))
	require.NoError(t, err)
	require.Equal(t, 3, made.Before)
}

// A store of version 2 comes to version 3 while a member writes.
func TestInitWhileAMemberWrites(t *testing.T) {
	db := database(t)
	s := member(t, db, "ferry", "ann")
	out, err := s.Put(t.Context(), learned("the ferry waits for the tide"), store.Observation{})
	require.NoError(t, err)
	_, err = db.Open(t, pgtest.Superuser).Exec(`SET search_path = whence; UPDATE version SET number = 2; DROP FUNCTION ranked, counted, refresh_statistics`)
	require.NoError(t, err)
	_, err = s.Edit(t.Context(), out.ID, time.Time{}, func(l *learning.Learning) error {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		made, err := postgres.Init(ctx, db.URL(pgtest.Superuser))
		require.NoError(t, err)
		require.Equal(t, 2, made.Before)
		l.Reasoning = "it is too shallow"
		return nil
	})
	require.NoError(t, err)
	hits, err := s.Search(t.Context(), store.Query{Text: "shallow tide", Everywhere: true})
	require.NoError(t, err)
	require.Len(t, hits, 1)
}
