package pgtest_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
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

// runAt runs commands on a connection of its own.
func runAt(address string, commands ...string) error {
	db, err := sql.Open("pgx", address)
	if err != nil {
		return err
	}
	defer db.Close()
	for _, command := range commands {
		if _, err := db.Exec(command); err != nil {
			return err
		}
	}
	return nil
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
	require.Equal(t, []string{"PGPASSFILE=" + s.Passfile()}, s.Env())
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
	names := map[string]bool{}
	prepared, learned := 0, rand.Text() // with -count the server has the templates of the last run
	t.Setenv("PGPASSFILE", s.Passfile())
	prepare := func(owner string) error {
		prepared++
		return runAt(owner, "create table learned (text text)", "insert into learned values ('prepared')")
	}
	t.Run("each test", func(t *testing.T) {
		for i := range 3 {
			d := s.FromTemplate(t, learned, prepare, "store")
			require.True(t, strings.HasPrefix(d.Name, "store_"))
			names[d.Name] = true
			db := d.Open(t, pgtest.Superuser)
			run(t, db, fmt.Sprintf("insert into learned values ('%d')", i))
			require.Equal(t, 2, one[int](t, db, "select count(*) from learned"))
		}
		empty := s.Database(t, "empty")
		names[empty.Name] = true
		require.Equal(t, 0, one[int](t, empty.Open(t, pgtest.Superuser), "select count(*) from pg_tables where schemaname = 'public'"))
	})
	require.Equal(t, 1, prepared)
	require.Len(t, names, 4)
	db := s.Database(t, "look").Open(t, pgtest.Superuser)
	for name := range names {
		require.Zero(t, one[int](t, db, "select count(*) from pg_database where datname = '"+name+"'"), "%s is still there", name)
	}
}

// One process makes databases in tests that run in parallel.
func TestParallelTests(t *testing.T) {
	for i := range 8 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			s := pgtest.Start(t)
			login := s.Login(t, "member")
			d := s.FromTemplate(t, "parallel", func(owner string) error {
				return runAt(owner+"&passfile="+url.QueryEscape(s.Passfile()), "create table t (n int)")
			}, "parallel")
			require.Equal(t, login, one[string](t, d.Open(t, login), "select current_user"))
			require.Zero(t, one[int](t, d.Open(t, pgtest.Superuser), "select count(*) from t"))
		})
	}
}

func TestVector(t *testing.T) {
	s := pgtest.Start(t)
	s.RequireVector(t)
	db := s.Database(t, "vector").Open(t, pgtest.Superuser)
	run(t, db, "create extension vector")
	require.Equal(t, "5", one[string](t, db, "select '[0,0]'::vector <-> '[3,4]'"))
}

func TestCrash(t *testing.T) {
	s := pgtest.StartOwn(t, pgtest.Options{Fsync: true})
	d := s.Database(t, "crash")
	db := d.Open(t, pgtest.Superuser)
	require.Equal(t, "on", one[string](t, db, "show fsync"))
	run(t, db, "create table t (n int)", "insert into t values (1)")
	open, err := db.Begin()
	require.NoError(t, err)
	_, err = open.Exec("insert into t values (2)")
	require.NoError(t, err)
	address := s.Address()

	s.Kill(t)
	require.Error(t, open.Commit())
	require.Error(t, db.Ping())
	log, err := os.ReadFile(filepath.Join(s.Socket(), "log"))
	require.NoError(t, err)
	require.NotContains(t, string(log), "shutting down")

	s.Restart(t)
	require.Equal(t, address, s.Address())
	again := d.Open(t, pgtest.Superuser)
	require.Equal(t, 1, one[int](t, again, "select sum(n) from t"))
	log, err = os.ReadFile(filepath.Join(s.Socket(), "log"))
	require.NoError(t, err)
	require.Contains(t, string(log), "not properly shut down")

	run(t, again, "insert into t values (3)")
	s.Stop(t)
	require.Error(t, again.Ping())
	s.Restart(t)
	s.Restart(t)
	require.Equal(t, 4, one[int](t, d.Open(t, pgtest.Superuser), "select sum(n) from t"))
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
