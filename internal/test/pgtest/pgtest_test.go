package pgtest_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// one is a value that a query gives.
func one[T any](t *testing.T, db *sql.DB, query string) (value T) {
	t.Helper()
	require.NoError(t, db.QueryRow(query).Scan(&value), query)
	return value
}

func run(t *testing.T, db *sql.DB, commands ...string) {
	t.Helper()
	for _, command := range commands {
		_, err := db.Exec(command)
		require.NoError(t, err, command)
	}
}

func TestLoginsHavePasswords(t *testing.T) {
	s := pgtest.Start(t)
	require.Same(t, s, pgtest.Start(t))
	d := s.Database(t, "logins")
	ann, bob := s.Login(t, "ann"), s.Login(t, `b:o\b "é"`)
	require.NotEqual(t, ann, s.Login(t, "ann"))
	for _, login := range []string{ann, bob, pgtest.Superuser} {
		require.Equal(t, login, one[string](t, d.Open(t, login), "select current_user"))
	}
	require.NotEqual(t, s.Password(ann), s.Password(bob))

	info, err := os.Stat(s.Passfile())
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	require.NotContains(t, d.URL(ann), s.Password(ann))

	for name, password := range map[string]string{"none": "", "another's": s.Password(bob)} {
		t.Run("refused with "+name, func(t *testing.T) {
			u, err := url.Parse(d.URL(ann))
			require.NoError(t, err)
			u.User = url.UserPassword(ann, password)
			db, err := sql.Open("pgx", u.String()+"&passfile=/nowhere")
			require.NoError(t, err)
			defer db.Close()
			require.ErrorContains(t, db.Ping(), "password authentication failed")
		})
	}
	t.Run("by the socket", func(t *testing.T) {
		_, port, _ := strings.Cut(s.Address(), ":")
		db, err := sql.Open("pgx", fmt.Sprintf("host=%s port=%s dbname=%s user=%s passfile=%s", s.Socket(), port, d.Name, ann, s.Passfile()))
		require.NoError(t, err)
		defer db.Close()
		require.True(t, one[bool](t, db, "select inet_client_addr() is null"))
	})
}

func TestDatabases(t *testing.T) {
	s := pgtest.Start(t)
	var names []string
	t.Run("each test", func(t *testing.T) {
		for range 2 {
			d := s.Database(t, "store")
			require.True(t, strings.HasPrefix(d.Name, "store_"))
			names = append(names, d.Name)
			run(t, d.Open(t, pgtest.Superuser), "create table learned (text text)")
		}
	})
	db := s.Database(t, "look").Open(t, pgtest.Superuser)
	for _, name := range names {
		require.Zero(t, one[int](t, db, "select count(*) from pg_database where datname = '"+name+"'"), "%s is still there", name)
	}
}

func TestServerBehindProxy(t *testing.T) {
	s := pgtest.Start(t)
	d := s.Database(t, "proxy")
	login := s.Login(t, "far")
	p := pgtest.NewProxy(t, s.Address())
	t.Setenv("PGPASSFILE", s.Passfile())
	db, err := sql.Open("pgx", d.URLAt(p.Address(), login))
	require.NoError(t, err)
	defer db.Close()
	require.Equal(t, login, one[string](t, db, "select current_user"))
	p.Cut()
	require.Error(t, db.PingContext(context.Background()))
	p.Heal(t)
	require.Equal(t, login, one[string](t, db, "select current_user"))
}
