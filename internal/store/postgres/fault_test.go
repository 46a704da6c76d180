package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/store/postgres"
	"whence/internal/test/pgtest"
)

// writer stores learnings and turns, each under a key of its own, and tries again under the
// same key until it is acknowledged.
type writer struct {
	address string
	number  int
	s       *store.Store
	done    atomic.Int64
	failed  atomic.Int64 // attempts that brought an error: the outcome is unknown
	limit   time.Duration
}

func (w *writer) text(i int) string {
	return fmt.Sprintf("module_%d_%d keeps a pool of its own for the queue of berth%d", w.number, i, i*7+w.number)
}

func (w *writer) once(ctx context.Context, i int) error {
	limited, cancel := context.WithTimeout(ctx, w.limit)
	defer cancel()
	if w.s == nil {
		s, err := postgres.Open(limited, w.address)
		if err != nil {
			return err
		}
		w.s = s
	}
	_, err := w.s.Once(limited, fmt.Sprint(w.number, "/", i), func(s *store.Store) error {
		if _, err := s.Put(limited, learned(w.text(i)), store.Observation{Session: fmt.Sprint(w.number)}); err != nil {
			return err
		}
		_, err := s.AddCaptured(limited, store.Captured{Session: fmt.Sprint(w.number), Turns: []store.Turn{{UUID: fmt.Sprint(w.number, "-", i), Role: "user", Text: w.text(i)}}})
		return err
	})
	return err
}

// write goes on until it has stored so many, whatever happens to the server.
func (w *writer) write(ctx context.Context, most int) error {
	const limit = 2 * time.Second
	w.limit = limit
	for i := 0; i < most; {
		err := w.once(ctx, i)
		switch {
		case err == nil:
			i, w.limit = i+1, limit
			w.done.Store(int64(i))
		case ctx.Err() != nil:
			return errors.Join(err, ctx.Err())
		case !errors.Is(err, store.ErrUnusable):
			return err
		default:
			w.failed.Add(1)
			w.limit += limit / 4 // a slow machine gets on too
			time.Sleep(5 * time.Millisecond)
		}
	}
	return w.s.Close()
}

// Whatever befalls the server under load, what was acknowledged is there afterwards, each
// once.
func TestFaultsUnderLoad(t *testing.T) {
	pgtest.Require(t)
	rounds, most := 3, 30
	if testing.Short() {
		rounds, most = 2, 15
	}
	server := pgtest.StartOwn(t, pgtest.Options{Fsync: true})
	t.Setenv("PGPASSFILE", server.Passfile())
	db := server.Database(t, "faults")
	owner := db.URL(pgtest.Superuser)
	_, err := postgres.Init(t.Context(), owner)
	require.NoError(t, err)
	login := server.Login(t, "ann")
	_, err = postgres.Admit(t.Context(), owner, "ferry", login, "member")
	require.NoError(t, err)
	proxy := pgtest.NewProxy(t, server.Address())

	ctx := t.Context()
	writers := make([]*writer, 4)
	errs := make([]error, len(writers))
	var all sync.WaitGroup
	for i := range writers {
		writers[i] = &writer{address: db.URLAt(proxy.Address(), login), number: i}
		all.Go(func() { errs[i] = writers[i].write(ctx, most) })
	}
	total := func() (done, failed int64) {
		for _, w := range writers {
			done, failed = done+w.done.Load(), failed+w.failed.Load()
		}
		return done, failed
	}
	// Each fault comes when something was stored since the last one, and hits something.
	for round := range rounds {
		before, hurt := total()
		enough := min(before+4, int64(len(writers)*most-len(writers)))
		require.Eventually(t, func() bool { done, _ := total(); return done >= enough }, 5*time.Minute, time.Millisecond)
		switch round % 3 {
		case 0:
			server.Kill(t)
		case 1:
			proxy.Cut()
		case 2:
			proxy.Hang()
		}
		require.Eventually(t, func() bool { _, failed := total(); return failed > hurt }, 5*time.Minute, time.Millisecond)
		if round%3 == 0 {
			server.Restart(t)
		} else {
			proxy.Heal(t)
		}
	}
	all.Wait()
	require.NoError(t, errors.Join(errs...))
	done, failed := total()
	t.Logf("%d stored, %d attempts failed", done, failed)

	s, err := postgres.Open(t.Context(), db.URL(login))
	require.NoError(t, err)
	defer s.Close()
	count, err := s.Count(t.Context(), store.Filter{Everywhere: true})
	require.NoError(t, err)
	require.Equal(t, len(writers)*most, count)
	for _, w := range writers {
		for i := range most {
			d, err := s.Get(t.Context(), store.Scope{Everything: true}, learning.ID(w.text(i)))
			require.NoError(t, err)
			require.Equal(t, 1, d.Observations, w.text(i))
		}
	}
	stats, err := s.Stats(t.Context(), time.Now())
	require.NoError(t, err)
	require.Equal(t, len(writers)*most, stats.Turns)
}

// A server that cannot be reached or does not answer is an error of its own, within the deadline.
func TestAServerThatIsAway(t *testing.T) {
	h := newHarbour(t)
	proxy := pgtest.NewProxy(t, h.db.Server.Address())
	address := h.db.URLAt(proxy.Address(), h.ann)
	s, err := postgres.Open(t.Context(), address)
	require.NoError(t, err)
	defer s.Close()
	ask := func(limit time.Duration) error {
		limited, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		_, err := s.Search(limited, store.Query{Text: "berth"})
		return err
	}
	open := func(limit time.Duration) error {
		limited, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		s, err := postgres.Open(limited, address)
		if err == nil {
			s.Close()
		}
		return err
	}
	const patient = time.Minute
	require.NoError(t, ask(patient))
	for name, fault := range map[string]func(){"cut": proxy.Cut, "hang": proxy.Hang} {
		fault()
		for _, try := range []func(time.Duration) error{ask, open} {
			require.ErrorIs(t, try(200*time.Millisecond), store.ErrUnusable, name)
		}
		proxy.Heal(t)
		require.Eventually(t, func() bool { return ask(patient) == nil && open(patient) == nil }, 5*time.Minute, 10*time.Millisecond, name)
	}
}

// An error of Open says what to do, and holds no password.
func TestOpenRefuses(t *testing.T) {
	h := newHarbour(t)
	server := h.db.Server
	ctx := t.Context()
	empty := server.Database(t, "empty")
	for name, c := range map[string]struct {
		address string
		want    string
	}{
		"no store":     {empty.URL(pgtest.Superuser), "memory-remember store init makes one"},
		"no database":  {server.Database(t, "x").URL(h.ann) + "&dbname=nothere", ""},
		"wrong login":  {h.db.URL("nobody_at_all"), "PGPASSFILE or PGPASSWORD"},
		"no server":    {"postgres://ann@127.0.0.1:1/whence", "cannot be reached"},
		"no host":      {"postgres://ann@nowhere.invalid/whence", "cannot be reached"},
		"no team":      {h.db.URL(h.mallory), "no team"},
		"another team": {h.db.URL(h.ann) + "&team=quay", "no team"},
		"parameter":    {h.db.URL(h.ann) + "&sslmode=perhaps", "sslmode"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := postgres.Open(ctx, c.address)
			require.Error(t, err)
			require.ErrorContains(t, err, c.want)
			for _, login := range []string{h.ann, pgtest.Superuser} {
				require.NotContains(t, err.Error(), server.Password(login))
			}
		})
	}
	_, err := postgres.Admit(ctx, h.db.URL(pgtest.Superuser), "quay", h.ann, "member")
	require.NoError(t, err)
	_, err = postgres.Open(ctx, h.db.URL(h.ann))
	require.ErrorIs(t, err, postgres.ErrTeams)
	s, err := postgres.Open(ctx, h.db.URL(h.ann)+"&team=quay")
	require.NoError(t, err)
	require.NoError(t, s.Close())
	_, err = postgres.Admit(ctx, h.db.URL(pgtest.Superuser), "Quay!", h.ann, "member")
	require.ErrorContains(t, err, "cannot name a team")
	_, err = postgres.Admit(ctx, h.db.URL(pgtest.Superuser), "quay", h.ann, "king")
	require.ErrorContains(t, err, "use reader, member, admin")
	_, err = postgres.Init(ctx, h.db.URL(h.ann))
	require.ErrorContains(t, err, "may not do that")
	made, err := postgres.Init(ctx, h.db.URL(pgtest.Superuser))
	require.NoError(t, err)
	require.False(t, made.New)
	_, err = h.sql(pgtest.Superuser).Exec(`UPDATE version SET number = 99`)
	require.NoError(t, err)
	_, err = postgres.Open(ctx, h.db.URL(h.bea))
	require.ErrorIs(t, err, store.ErrNewer)
}

// Any number of processes may make the store at the same time.
func TestInitAtOnce(t *testing.T) {
	pgtest.Require(t)
	server := pgtest.Start(t)
	t.Setenv("PGPASSFILE", server.Passfile())
	owner := server.Database(t, "atonce").URL(pgtest.Superuser)
	made := make([]postgres.Made, 6)
	errs := make([]error, len(made))
	var all sync.WaitGroup
	for i := range made {
		all.Go(func() { made[i], errs[i] = postgres.Init(t.Context(), owner) })
	}
	all.Wait()
	require.NoError(t, errors.Join(errs...))
	first := 0
	for _, m := range made {
		if m.New {
			first++
		}
	}
	require.Equal(t, 1, first)
}

// A write frees its locks before it waits for the disk, but returns after it has waited.
func TestACrashRightAfterAWrite(t *testing.T) {
	pgtest.Require(t)
	server := pgtest.StartOwn(t, pgtest.Options{Fsync: true})
	t.Setenv("PGPASSFILE", server.Passfile())
	s := member(t, storeOn(t, server), "ferry", "ann")
	for i := range 3 {
		l := learned(fmt.Sprint("berth ", i, " is closed in winter"))
		require.Eventually(t, func() bool { _, err := s.Put(t.Context(), l, store.Observation{}); return err == nil }, 5*time.Minute, time.Millisecond)
		server.Kill(t)
		server.Restart(t)
		require.Eventually(t, func() bool { _, err := s.Count(t.Context(), store.Filter{}); return err == nil }, 5*time.Minute, time.Millisecond)
		_, err := s.Get(t.Context(), store.Scope{Everything: true}, learning.ID(l.Description))
		require.NoError(t, err)
	}
}
