package store_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/store/postgres"
	"whence/internal/test/pgtest"
)

// newStore makes a place for a store: a folder, or the URL of a database.
type newStore func(t *testing.T) (place string)

// onEach runs a test on each engine. With -short, which is for the race detector, it is
// skipped: nothing in it runs side by side, but processes.
func onEach(t *testing.T, test func(t *testing.T, place newStore)) {
	t.Helper()
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	sideBySide(t, test)
}

// sideBySide is onEach for tests with goroutines, which are not skipped.
func sideBySide(t *testing.T, test func(t *testing.T, place newStore)) {
	t.Run("sqlite", func(t *testing.T) { test(t, func(t *testing.T) string { return filepath.Join(t.TempDir(), "store") }) })
	t.Run("postgres", func(t *testing.T) {
		pgtest.Require(t)
		test(t, newDatabase)
	})
}

// superusers are how the superuser comes to the databases of places.
var superusers sync.Map

// newDatabase is a store on the server, as a member of a team sees it.
func newDatabase(t *testing.T) (place string) {
	t.Helper()
	return databaseOn(t, pgtest.Start(t))
}

func databaseOn(t testing.TB, server *pgtest.Server) (place string) {
	t.Helper()
	t.Setenv("PGPASSFILE", server.Passfile())
	db := server.FromTemplate(t, "store", func(owner string) error {
		_, err := postgres.Init(context.Background(), owner)
		return err
	}, "store")
	place = admit(t, db, "ferry", "member")
	superusers.Store(place, db.URL(pgtest.Superuser))
	return place
}

// admit makes a login, which is a member of a team, and returns how it comes to the store.
func admit(t testing.TB, db *pgtest.Database, team, role string) (place string) {
	t.Helper()
	login := db.Server.Login(t, "ann")
	_, err := postgres.Admit(context.Background(), db.URL(pgtest.Superuser), team, login, role)
	require.NoError(t, err)
	return db.URL(login)
}

func onServer(place string) bool { return strings.HasPrefix(place, "postgres://") }

// superuser is how the superuser comes to the database of a place.
func superuser(t testing.TB, place string) string {
	t.Helper()
	owner, known := superusers.Load(place)
	require.True(t, known)
	return owner.(string) + "&search_path=whence"
}

// openAt opens the store at a place.
func openAt(ctx context.Context, place string) (*store.Store, error) {
	if onServer(place) {
		return postgres.Open(ctx, place)
	}
	return store.Open(ctx, place)
}

// readAt opens it for reading alone, where that is another thing.
func readAt(ctx context.Context, place string) (*store.Store, error) {
	if onServer(place) {
		return postgres.Open(ctx, place)
	}
	return store.OpenReadOnly(ctx, place)
}

// requireCounted requires that every row is indexed, and that its words are counted.
func requireCounted(t *testing.T, db *sql.DB) {
	t.Helper()
	for _, table := range []string{"entries", "turns"} {
		words := `SELECT team, reader, stem, rows FROM words WHERE kind = '` + table + `'`
		real := `SELECT team, reader, s, count(*) FROM ` + table + `, unnest(tsvector_to_array(tsv)) s GROUP BY 1, 2, 3`
		totals := `SELECT team, reader, rows, words FROM totals WHERE kind = '` + table + `' AND rows > 0`
		sums := `SELECT team, reader, count(*), sum(words) FROM ` + table + ` GROUP BY 1, 2`
		for _, query := range []string{
			`SELECT count(*) FROM ` + table + ` WHERE tsv IS NULL`,
			`SELECT count(*) FROM ((` + words + `) EXCEPT (` + real + `)) AS d`,
			`SELECT count(*) FROM ((` + real + `) EXCEPT (` + words + `)) AS d`,
			`SELECT count(*) FROM ((` + totals + `) EXCEPT (` + sums + `)) AS d`,
			`SELECT count(*) FROM ((` + sums + `) EXCEPT (` + totals + `)) AS d`,
		} {
			var n int
			require.NoError(t, db.QueryRow(query).Scan(&n), query)
			require.Zero(t, n, query)
		}
	}
}
