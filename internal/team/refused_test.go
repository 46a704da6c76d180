package team_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/spool"
	"whence/internal/store"
	"whence/internal/store/postgres"
	"whence/internal/team"
	"whence/internal/test/pgtest"
)

// quayside is a store of teams on a PostgreSQL server, with one login and its machine.
type quayside struct {
	db    *pgtest.Database
	login string
	owner *sql.DB
	home  string
	place *team.Replica
	away  bool
}

func newQuayside(t *testing.T) *quayside {
	t.Helper()
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	pgtest.Require(t)
	server := pgtest.StartOwn(t, pgtest.Options{})
	t.Setenv("PGPASSFILE", server.Passfile())
	q := &quayside{login: server.Login(t, "ann")}
	q.db = newDatabase(t, server, q.login)
	q.owner = q.db.Open(t, pgtest.Superuser)
	q.home = t.TempDir()
	p, err := team.ReplicaOf(q.home, q.db.URL(q.login))
	require.NoError(t, err)
	q.place = p
	see(t, p, project)
	return q
}

// server is how a new process reaches the store.
func (q *quayside) server(t *testing.T) *team.Server {
	s := team.NewServer(func(ctx context.Context, url string) (*store.Store, error) {
		if q.away {
			return nil, store.ErrUnusable
		}
		return postgres.Open(ctx, url)
	})
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// fails has the server fail with a state when a text is stored.
func (q *quayside) fails(t *testing.T, table, column, text, state string) {
	t.Helper()
	_, err := q.owner.Exec(`CREATE OR REPLACE FUNCTION whence.fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF NEW.` + column + ` LIKE '%` + text + `%' THEN RAISE EXCEPTION 'it fails with ` + state + `' USING ERRCODE = '` + state + `'; END IF; RETURN NEW; END $$`)
	require.NoError(t, err)
	_, err = q.owner.Exec(`CREATE OR REPLACE TRIGGER fails BEFORE INSERT ON whence.` + table + ` FOR EACH ROW EXECUTE FUNCTION whence.fails()`)
	require.NoError(t, err)
}

// pending are the operations that the server does not have.
func pending(t *testing.T, p *team.Replica) []team.Pending {
	t.Helper()
	all, err := p.Pending()
	require.NoError(t, err)
	return all
}

// An operation that the server fails is put aside with its text and the reason: at the first
// time, or if it might pass, after some. Then those behind it are done. Only while the server
// cannot be used it waits, for as long as that takes.
func TestWhatFailsIsPutAsideAfterSomeTries(t *testing.T) {
	server := newQuayside(t)
	for state, most := range map[string]int{"ZZ999": 1, "XX000": 1, "55P03": spool.MaxFailures, "40001": spool.MaxFailures, "53300": 0} {
		t.Run(state, func(t *testing.T) {
			q := &quayside{login: server.login, db: newDatabase(t, server.db.Server, server.login)}
			q.owner = q.db.Open(t, pgtest.Superuser)
			p, err := team.ReplicaOf(t.TempDir(), q.db.URL(q.login))
			require.NoError(t, err)
			q.fails(t, "entries", "description", "Lesson1linter", state)
			write(t, p, nil, putting(lesson(1)))
			write(t, p, nil, putting(lesson(2)))
			tries := 0
			for ; tries < 2*spool.MaxFailures; tries++ {
				st, err := p.Status(t.Context())
				require.NoError(t, err)
				if st.Refused > 0 {
					break
				}
				require.Contains(t, all(t, p.Dir()), learning.ID(lesson(1).Description), "it stays in the copy meanwhile")
				_, err = p.Send(t.Context(), q.server(t))
				require.ErrorContains(t, err, "it fails with "+state)
			}
			if most == 0 {
				requireWaiting(t, p, 2)
				return
			}
			require.Equal(t, most, tries)
			_, err = p.Send(t.Context(), q.server(t))
			require.NoError(t, err, "it is not tried again")
			requireWaiting(t, p, 0)
			kept := pending(t, p)
			require.Len(t, kept, 1)
			require.Equal(t, lesson(1).Description, kept[0].Learning.Description)
			require.Contains(t, kept[0].Reason, "it fails with "+state)
			require.Contains(t, all(t, p.Dir()), learning.ID(lesson(2).Description))

			_, err = q.owner.Exec(`DROP TRIGGER fails ON whence.entries`)
			require.NoError(t, err)
			n, err := p.Resend(t.Context(), q.server(t), p, false)
			require.NoError(t, err)
			require.Equal(t, 1, n)
			n, err = p.Send(t.Context(), q.server(t))
			require.NoError(t, err)
			require.Equal(t, 1, n)
			require.Empty(t, pending(t, p))
		})
	}
}

// Turns that may pass later hold up what prunes them, or they would come back.
func TestPruningWaitsForTurnsThatFail(t *testing.T) {
	q := newQuayside(t)
	q.fails(t, "turns", "text", "poison", "55P03")
	require.NoError(t, q.place.EnqueueTurns(store.Captured{Session: "s", Project: project, Turns: []store.Turn{{UUID: "1", Role: "user", Text: "poison"}}}))
	require.NoError(t, q.place.Enqueue(store.Operation{Kind: store.OpPrune, At: noon, Prune: &store.PruneOptions{Session: "s", Everywhere: true}}))
	_, err := q.place.Send(t.Context(), q.server(t))
	require.ErrorContains(t, err, "it fails with 55P03")
	requireWaiting(t, q.place, 2)
	_, err = q.owner.Exec(`DROP TRIGGER fails ON whence.turns`)
	require.NoError(t, err)
	n, err := q.place.Send(t.Context(), q.server(t))
	require.NoError(t, err)
	require.Equal(t, 2, n)
	var count int
	require.NoError(t, q.owner.QueryRow(`SELECT count(*) FROM whence.turns`).Scan(&count))
	require.Zero(t, count)
}

// An operation for which a server takes too long, again and again, while it answers others,
// does not hold these up for ever.
func TestWhatTakesTooLongIsPutAside(t *testing.T) {
	q := newQuayside(t)
	_, err := q.owner.Exec(`CREATE FUNCTION whence.slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF NEW.description LIKE 'Lesson1linter%' THEN PERFORM pg_sleep(60); END IF; RETURN NEW; END $$`)
	require.NoError(t, err)
	_, err = q.owner.Exec(`CREATE TRIGGER slow BEFORE INSERT ON whence.entries FOR EACH ROW EXECUTE FUNCTION whence.slow()`)
	require.NoError(t, err)
	for _, n := range []int{1, 2} {
		write(t, q.place, nil, putting(lesson(n)))
	}
	for tries := 0; len(pending(t, q.place)) == 2; tries++ {
		if kept := pending(t, q.place); kept[1].Reason != "" {
			break
		}
		require.Less(t, tries, 10*spool.MaxFailures)
		requireWaiting(t, q.place, 2)
		_, err := team.SendWithin(t.Context(), q.place, q.server(t), time.Duration(1+tries)*200*time.Millisecond) // longer and longer: a slow machine comes as far as the operation
		require.ErrorContains(t, err, "no answer within")
	}
	n, err := q.place.Send(t.Context(), q.server(t))
	require.NoError(t, err)
	require.Equal(t, 1, n)
	kept := pending(t, q.place)
	require.Len(t, kept, 1)
	require.Equal(t, lesson(1).Description, kept[0].Learning.Description)
	require.Contains(t, kept[0].Reason, "no answer within")
}
