package team_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/spool"
	"whence/internal/store"
	"whence/internal/team"
)

// office is a team's server, which is a store in a folder, and may be away.
type office struct {
	dir   string
	away  atomic.Bool // connections are refused
	hangs atomic.Bool // and so long that nobody waits for it
	asked atomic.Int64
}

func newOffice(t testing.TB) *office { return &office{dir: t.TempDir()} }

func (o *office) dial(ctx context.Context, _ string) (*store.Store, error) {
	o.asked.Add(1)
	if o.hangs.Load() {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if o.away.Load() {
		return nil, fmt.Errorf("connect: %w: %w", store.ErrUnusable, syscall.ECONNREFUSED)
	}
	return store.Open(ctx, o.dir)
}

// server is how a new process reaches it.
func (o *office) server(t testing.TB) *team.Server {
	s := team.NewServer(o.dial)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// look reads from it.
func (o *office) look(t testing.TB, run func(*store.Store)) { look(t, o.dir, run) }

func look(t testing.TB, dir string, run func(*store.Store)) {
	t.Helper()
	s, err := store.Open(t.Context(), dir)
	require.NoError(t, err)
	defer s.Close()
	run(s)
}

const url = "postgres://someone@db.example.com/whence"

// newPlace is the copy of a machine.
func newPlace(t testing.TB) (home string, p *team.Replica) {
	home = t.TempDir()
	p, err := team.ReplicaOf(home, url)
	require.NoError(t, err)
	return home, p
}

func scopeOf(p *team.Replica) team.Scope { return team.Scope{Dir: p.Dir(), Replica: p} }

const project = "github.com/acme/app"

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// lesson is a learning, unlike those of other numbers.
func lesson(n int) learning.Learning {
	words := []string{"deploy", "linter", "socket", "fixture", "migration", "timeout", "index", "branch", "token", "cache", "daemon", "parser", "quota"}
	text := fmt.Sprintf("Lesson%d%s: the %s%d needs %s%d before %s%d", n, words[n%13], words[n%13], n, words[(n/13+5)%13], n*7, words[(n+8)%13], n*31)
	return learning.Learning{
		Name: fmt.Sprintf("lesson %d", n), Description: text, Reasoning: "it was so", Category: learning.Patterns, Confidence: learning.Low,
		Source: learning.SessionCapture, Project: project,
	}
}

func putting(l learning.Learning) store.Operation {
	return store.Operation{Kind: store.OpPut, At: noon, Session: "s", Learning: &l, Revive: true}
}

// explaining is the edit of a learning's reason.
func explaining(id, why string) store.Operation {
	return store.Operation{Kind: store.OpEdit, At: noon, ID: id, Edit: &store.Edit{Reasoning: &why}}
}

func write(t testing.TB, p *team.Replica, server *team.Server, op store.Operation) (store.Result, error) {
	t.Helper()
	r, kept, err := scopeOf(p).Apply(t.Context(), server, op, nil)
	require.NoError(t, err)
	return r, kept
}

// all are the learnings of a store, by id, without what a copy does not have exactly.
func all(t testing.TB, dir string) map[string]learning.Learning {
	found := map[string]learning.Learning{}
	look(t, dir, func(s *store.Store) {
		some, err := s.List(t.Context(), store.Filter{Everywhere: true, Retired: true})
		require.NoError(t, err)
		for _, l := range some {
			found[l.ID] = l
		}
	})
	return found
}

func requireWaiting(t testing.TB, p *team.Replica, n int) {
	t.Helper()
	st, err := p.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, n, st.Waiting, "operations wait")
}

// What the server has done is in the copy at once, and nothing waits.
func TestWriteToTheServer(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	server := o.server(t)
	r, kept := write(t, p, server, putting(lesson(1)))
	require.NoError(t, kept)
	require.False(t, r.Outcome.Reinforced)
	require.Equal(t, all(t, o.dir), all(t, p.Dir()))
	requireWaiting(t, p, 0)
	r, kept = write(t, p, server, store.Operation{Kind: store.OpForget, ID: r.Outcome.ID})
	require.NoError(t, kept)
	require.Equal(t, lesson(1).Description, r.Outcome.Description)
	require.Empty(t, all(t, o.dir))
	require.Empty(t, all(t, p.Dir()))
}

// While the server is away everything goes on with the copy; then the server has it, in the
// order in which it was done, each once, however often that is tried.
func TestWriteWhileTheServerIsAway(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	o.away.Store(true)
	server := o.server(t)
	first, kept := write(t, p, server, putting(lesson(1)))
	require.ErrorIs(t, kept, store.ErrUnusable)
	require.ErrorIs(t, kept, syscall.ECONNREFUSED)
	require.EqualError(t, kept, "the team's store postgres://someone@db.example.com/whence cannot be reached (connection refused)")
	write(t, p, server, putting(lesson(1)))
	write(t, p, server, putting(lesson(2)))
	write(t, p, server, explaining(first.Outcome.ID, "seen twice"))
	better := "Lesson 1 was not right: sockets are closed by the daemon itself"
	edited := first.Outcome.Learning
	edited.Description = better
	edit := store.Operation{Kind: store.OpEdit, At: noon, ID: first.Outcome.ID, Edit: store.EditOf(first.Outcome.Learning, edited)}
	r, _ := write(t, p, server, edit)
	require.EqualValues(t, 1, o.asked.Load(), "a server that is away is not asked again at once")
	requireWaiting(t, p, 5)
	here := all(t, p.Dir())
	require.Len(t, here, 2)

	_, err := p.Send(t.Context(), o.server(t))
	require.ErrorIs(t, err, spool.ErrNotNow)
	requireWaiting(t, p, 5)
	o.away.Store(false)
	n, err := p.Send(t.Context(), o.server(t))
	require.NoError(t, err)
	require.Equal(t, 5, n)
	requireWaiting(t, p, 0)
	there := all(t, o.dir)
	require.Equal(t, there, all(t, p.Dir()))
	require.Len(t, there, 2)
	require.Equal(t, 2, there[r.Outcome.ID].Observations)
	require.Equal(t, "seen twice", there[r.Outcome.ID].Reasoning)
	require.Equal(t, better, there[r.Outcome.ID].Description)
}

// An answer that was lost does not make two of one: the same operation comes again under the
// same key.
func TestALostAnswerCountsOnce(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	l := lesson(1)
	op := putting(l).WithKey()
	o.look(t, func(s *store.Store) {
		_, err := s.Once(t.Context(), op.Key, func(tx *store.Store) error {
			_, err := tx.Apply(t.Context(), op)
			return err
		})
		require.NoError(t, err)
	})
	o.away.Store(true)
	write(t, p, o.server(t), op)
	requireWaiting(t, p, 1)
	o.away.Store(false)
	_, err := p.Send(t.Context(), o.server(t))
	require.NoError(t, err)
	requireWaiting(t, p, 0)
	require.Equal(t, 1, all(t, o.dir)[learning.ID(l.Description)].Observations)
}

// What waits is not overtaken: who writes when the server is back brings it there first.
func TestNothingIsOvertaken(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	o.away.Store(true)
	r, _ := write(t, p, o.server(t), putting(lesson(1)))
	o.away.Store(false)
	_, kept := write(t, p, o.server(t), store.Operation{Kind: store.OpForget, ID: r.Outcome.ID})
	require.NoError(t, kept)
	require.Empty(t, all(t, o.dir))
	require.Empty(t, all(t, p.Dir()))

	o.away.Store(true)
	write(t, p, o.server(t), putting(lesson(2)))
	o.away.Store(false)
	stale, err := scopeOf(p).Read(t.Context(), o.server(t), func(ctx context.Context, s *store.Store) error {
		n, err := s.Count(ctx, store.Filter{Everywhere: true})
		require.Equal(t, 1, n, "what was done here is not read there")
		return err
	})
	require.NoError(t, stale)
	require.NoError(t, err)
}

// What the server refuses is set aside and told; it stops nothing, and the copy becomes what
// the server has.
func TestWhatTheServerRefuses(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	server := o.server(t)
	kept1, _ := write(t, p, server, putting(lesson(1)))
	kept2, _ := write(t, p, server, putting(lesson(2)))
	o.look(t, func(s *store.Store) { // a colleague has been faster
		_, err := s.Forget(t.Context(), kept1.Outcome.ID)
		require.NoError(t, err)
		_, err = s.Put(t.Context(), lesson(3), store.Observation{})
		require.NoError(t, err)
	})
	o.away.Store(true)
	server = o.server(t)
	write(t, p, server, explaining(kept1.Outcome.ID, "seen twice"))
	taken := lesson(3).Description
	write(t, p, server, store.Operation{Kind: store.OpEdit, ID: kept2.Outcome.ID, Edit: &store.Edit{Description: &taken}})
	write(t, p, server, putting(lesson(4)))
	require.NoError(t, spool.Add(p.Outbox(), "outbox", []byte("no operation")))
	o.away.Store(false)

	n, err := p.Send(t.Context(), o.server(t))
	require.ErrorIs(t, err, store.ErrUnknown)
	require.ErrorIs(t, err, store.ErrTaken)
	require.Equal(t, 1, n)
	require.Equal(t, all(t, o.dir), all(t, p.Dir()))
	require.Len(t, all(t, o.dir), 3)
	st, err := p.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, 0, st.Waiting)
	require.Equal(t, 3, st.Refused)
	require.Contains(t, st.Reason, "read an operation")
}

// What a newer version has put into the outbox stays there, and so does what was added after it.
func TestAnOperationOfANewerVersion(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	o.away.Store(true)
	write(t, p, o.server(t), putting(lesson(1)))
	require.NoError(t, spool.Add(p.Outbox(), "outbox", []byte(`{"version": 2, "kind": "merge", "key": "k"}`)))
	write(t, p, o.server(t), putting(lesson(2)))
	o.away.Store(false)

	n, err := p.Send(t.Context(), o.server(t))
	require.ErrorIs(t, err, spool.ErrNewer)
	require.ErrorContains(t, err, "its version is 2, known is 1")
	require.Equal(t, 1, n)
	st, err := p.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, st.Waiting)
	require.Zero(t, st.Refused)
	require.Len(t, all(t, o.dir), 1)
}

// A learning that is known on the server in another spelling reinforces that one, which has another id.
func TestKnownInAnotherSpelling(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	known, again := lesson(1), lesson(1)
	known.Description = "Always run the database migrations before starting the integration tests"
	again.Description = "ALWAYS run the database migrations before starting the integration tests!"
	o.look(t, func(s *store.Store) {
		_, err := s.Put(t.Context(), known, store.Observation{})
		require.NoError(t, err)
	})
	o.away.Store(true)
	r, _ := write(t, p, o.server(t), putting(again))
	require.NotEqual(t, learning.ID(known.Description), r.Outcome.ID)
	o.away.Store(false)
	n, err := p.Send(t.Context(), o.server(t))
	require.NoError(t, err)
	require.Equal(t, 1, n)
	there := all(t, o.dir)
	require.Equal(t, there, all(t, p.Dir()))
	require.Len(t, there, 1)
	require.Equal(t, 2, there[learning.ID(known.Description)].Observations)
}

// What others have written is not deleted or changed by who has never seen it: only what was
// stored here, under another id, was meant.
func TestOtherSpellingsStay(t *testing.T) {
	for _, kind := range []store.OperationKind{store.OpForget, store.OpEdit} {
		t.Run(string(kind), func(t *testing.T) {
			o := newOffice(t)
			_, p := newPlace(t)
			known, again := lesson(1), lesson(1)
			known.Description = "Always run the database migrations before starting the integration tests"
			again.Description = "ALWAYS run the database migrations before starting the integration tests!"
			o.look(t, func(s *store.Store) {
				_, err := s.Put(t.Context(), known, store.Observation{})
				require.NoError(t, err)
			})
			o.away.Store(true)
			r, _ := write(t, p, o.server(t), putting(again))
			text := "Migrations are run by the fixture"
			op := store.Operation{Kind: kind, At: noon, ID: r.Outcome.ID}
			if kind == store.OpEdit {
				op.Edit = &store.Edit{Description: &text}
			}
			write(t, p, o.server(t), op)
			o.away.Store(false)
			n, err := p.Send(t.Context(), o.server(t))
			require.ErrorContains(t, err, "the server spells it otherwise, as "+learning.ID(known.Description))
			require.Equal(t, 1, n)
			there := all(t, o.dir)
			require.Len(t, there, 1)
			require.Equal(t, known.Description, there[learning.ID(known.Description)].Description)
			require.Equal(t, there, all(t, p.Dir()))
			requireWaiting(t, p, 0)
		})
	}
}

// Where the outbox cannot be written nothing is acknowledged, and nothing is done.
func TestAnOutboxThatCannotBeWritten(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	look(t, p.Dir(), func(*store.Store) {})
	file := filepath.Join(p.Dir(), "outbox")
	require.NoError(t, writeFile(file))
	o.away.Store(true)
	for _, server := range []*team.Server{nil, o.server(t)} {
		_, _, err := scopeOf(p).Apply(t.Context(), server, putting(lesson(1)), nil)
		require.ErrorContains(t, err, file)
		require.Empty(t, all(t, p.Dir()))
	}
}

// A server that says nothing costs as long as one was ready to wait, and no longer, and the
// next does not wait.
func TestAServerThatHangs(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	var away *team.UnavailableError
	synctest.Test(t, func(t *testing.T) {
		o.hangs.Store(true)
		server := o.server(t)
		begun := time.Now()
		for range 3 {
			err := server.Ask(t.Context(), p, 20*time.Millisecond, func(context.Context, *store.Store) error { return nil })
			require.ErrorAs(t, err, &away)
			require.Equal(t, "no answer within 20ms", away.Reason())
		}
		require.Equal(t, 20*time.Millisecond, time.Since(begun), "on a clock that goes on while all wait")
		require.EqualValues(t, 1, o.asked.Load())
	})

	o.hangs.Store(false)
	err := o.server(t).Ask(t.Context(), p, 20*time.Millisecond, func(ctx context.Context, _ *store.Store) error {
		<-ctx.Done()
		return ctx.Err()
	})
	require.ErrorAs(t, err, &away)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	err = o.server(t).Ask(gone, p, time.Minute, func(context.Context, *store.Store) error { return nil })
	require.ErrorIs(t, err, context.Canceled)
	require.False(t, errors.As(err, new(*team.UnavailableError)), "it is who asks that has gone")
}

// A connection that was cut off while nobody used it is opened again, and nobody sees it.
func TestAConnectionThatWasCutOff(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	server := o.server(t)
	for range 2 {
		cut := o.asked.Load() > 0
		err := server.Ask(t.Context(), p, time.Minute, func(context.Context, *store.Store) error {
			if cut {
				cut = false
				return fmt.Errorf("broken pipe: %w", store.ErrUnusable)
			}
			return nil
		})
		require.NoError(t, err)
	}
	require.EqualValues(t, 2, o.asked.Load())
}

func writeFile(name string) error { return os.WriteFile(name, nil, 0o600) }
