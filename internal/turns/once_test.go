package turns_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
	"whence/internal/config"
	"whence/internal/redact"
	"whence/internal/spool"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/internal/text"
	"whence/internal/transcripts"
	"whence/internal/turns"
)

// row is a turn as it is stored.
type row struct {
	Session, UUID, Role, Kind, Text, Fold, Change string
	Count                                         int
}

// stored are the turns of a store in their order, and the rows of all UUIDs that ever came.
func stored(t *testing.T, home string) (turns []row, captured map[string]string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(home, "memory.db"))
	require.NoError(t, err)
	defer db.Close()
	captured = map[string]string{}
	rows, err := db.Query(`SELECT session, uuid, role, kind, text, fold, change, count FROM turns ORDER BY session, seq`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var r row
		require.NoError(t, rows.Scan(&r.Session, &r.UUID, &r.Role, &r.Kind, &r.Text, &r.Fold, &r.Change, &r.Count))
		turns = append(turns, r)
	}
	require.NoError(t, rows.Err())
	known, err := db.Query(`SELECT captured.uuid, ifnull(turns.uuid, '') FROM captured LEFT JOIN turns ON turns.seq = captured.turn`)
	require.NoError(t, err)
	defer known.Close()
	for known.Next() {
		var uuid, kept string
		require.NoError(t, known.Scan(&uuid, &kept))
		captured[uuid] = kept
	}
	require.NoError(t, known.Err())
	return turns, captured
}

// read are the turns of transcripts, each read at once, the last of each UUID.
func read(t *testing.T, talks ...talk) map[string]turns.Turn {
	t.Helper()
	rows := map[string]turns.Turn{}
	for _, k := range talks {
		k.path = filepath.Join(t.TempDir(), "whole")
		if k.rows != nil {
			k.path += ".db"
		}
		k.write(t, len(k.source()))
		source, err := transcripts.Open(t.Context(), k.transcript())
		require.NoError(t, err)
		var f turns.Filter
		_, _, err = source.Read(transcript.Cursor{}, func(r transcript.Record) error {
			r = r.Map(func(s string) string { s, _ = redact.Text(s); return s })
			for _, turn := range f.Add(r) {
				turn.Text = text.Clean(turn.Text)
				if old, known := rows[turn.UUID]; !known || !strings.HasPrefix(old.Text, turn.Text) {
					rows[turn.UUID] = turn
				}
			}
			return nil
		})
		require.NoError(t, errors.Join(err, source.Close()))
	}
	return rows
}

// requireOnce requires that a store has the turns of talks, each once, and nothing else, and
// that nothing waits.
func requireOnce(t *testing.T, home string, talks ...talk) {
	t.Helper()
	want := read(t, talks...)
	rows, captured := stored(t, home)
	kept := map[string]row{}
	total := 0
	for _, r := range rows {
		require.NotContains(t, kept, r.UUID)
		kept[r.UUID] = r
		total += r.Count
		turn, known := want[r.UUID]
		require.True(t, known, "%s %s %q was never said", r.Session, r.UUID, r.Text)
		require.Equal(t, []string{string(turn.Kind), turn.Role, turn.Text, turns.Fold(turn)}, []string{r.Kind, r.Role, r.Text, r.Fold}, r.UUID)
	}
	require.Len(t, captured, len(want))
	require.Equal(t, len(want), total, "each is counted once")
	for uuid, turn := range want {
		at, known := captured[uuid]
		require.True(t, known, "%s is lost: %q", uuid, turn.Text)
		require.Contains(t, kept, at, uuid)
		require.Equal(t, turns.Fold(turn), kept[at].Fold, "%s is counted with others", uuid)
	}
	s := statusOf(t, home)
	require.Equal(t, spool.Status{}, s)
}

// atOnce has transcripts read by one event each, in their order, and returns what is stored.
func atOnce(t *testing.T, talks ...talk) []row {
	t.Helper()
	home := repotest.Home(t)
	for _, k := range talks {
		k.write(t, len(k.source()))
		require.NoError(t, turns.AddJob(home, turns.Job{Session: "event", Cwd: filepath.Dir(k.path), Transcript: k.transcript(), At: time.Now()}))
	}
	work(t, home)
	turns, _ := stored(t, home)
	return turns
}

func work(t *testing.T, home string) turns.Done {
	t.Helper()
	repotest.ClaimHome(t, home)
	done, err := turns.Work(t.Context(), home, func(string) string { return "" })
	require.NoError(t, err)
	return done
}

// world is where agents write transcripts and tell events, and workers read.
type world struct {
	t      *testing.T
	random *rand.Rand
	home   string
	talks  []talk
	sizes  []int // how much of each is written
	told   []map[int][2]string
}

func newWorld(t *testing.T, seed uint64, talks ...talk) *world {
	w := &world{t: t, random: rand.New(rand.NewPCG(seed, seed)), home: repotest.Home(t), talks: talks, sizes: make([]int, len(talks))}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, config.ProjectFile), []byte("memory_turn_days: 0\n"), 0o600))
	for i := range talks {
		talks[i].path = filepath.Join(dir, fmt.Sprintf("%d.jsonl", i))
		if talks[i].rows != nil {
			talks[i].path = filepath.Join(dir, fmt.Sprintf("%d.db", i))
		}
		w.told = append(w.told, talks[i].spoken())
	}
	return w
}

// write has so much of a transcript written. Its agent does that under the same name, in
// place or as another file.
func (w *world) write(i, size int) {
	w.t.Helper()
	k := w.talks[i]
	if k.rows == nil && w.random.IntN(4) == 0 {
		k.path += ".new"
		k.write(w.t, size)
		require.NoError(w.t, os.Rename(k.path, w.talks[i].path))
	} else {
		k.write(w.t, size)
	}
	w.sizes[i] = size
}

// step makes one transcript grow, shrink, or get more at its front, and adds an event once,
// twice, or with the answer that the transcript will have next.
func (w *world) step() {
	w.t.Helper()
	i := w.random.IntN(len(w.talks))
	whole := w.talks[i].source()
	grow := 1 + w.random.IntN(1<<uint(4+w.random.IntN(14)))
	what := w.random.IntN(12)
	if w.talks[i].rows != nil {
		what = max(what, 2) // a database only grows
	}
	switch what {
	case 0:
		w.write(i, w.random.IntN(w.sizes[i]+1))
	case 1: // what was read is not where it was
		added := []byte(`{"type":"summary","summary":"` + strings.Repeat("x", w.random.IntN(99)) + `"}` + "\n")
		w.talks[i].lines = slices.Insert(w.talks[i].lines, w.talks[i].head, added)
		told := map[int][2]string{}
		for line, answer := range w.told[i] {
			told[line+1] = answer
		}
		w.told[i] = told
		w.write(i, min(w.sizes[i]+len(added), len(w.talks[i].source())))
	default:
		w.write(i, min(len(whole), w.sizes[i]+grow))
	}
	for range w.random.IntN(3) {
		w.tell(i)
	}
}

// tell adds the job of an event. An answer is in it when its line is the next, or the last.
func (w *world) tell(i int) {
	w.t.Helper()
	job := turns.Job{Session: "event", Cwd: filepath.Dir(w.talks[i].path), Transcript: w.talks[i].transcript(), At: time.Now()}
	at, line := 0, 0
	for ; line < len(w.talks[i].lines) && at+len(w.talks[i].lines[line]) <= w.sizes[i]; line++ {
		at += len(w.talks[i].lines[line])
	}
	for _, next := range []int{line, line - 1} {
		if answer, is := w.told[i][next]; is && w.random.IntN(2) == 0 {
			job.Session, job.Answer = answer[0], answer[1]
			break
		}
	}
	require.NoError(w.t, turns.AddJob(w.home, job))
}

// finish writes the transcripts to their ends, with a last event each.
func (w *world) finish() {
	w.t.Helper()
	for i, k := range w.talks {
		w.write(i, len(k.source()))
		require.NoError(w.t, turns.AddJob(w.home, turns.Job{Session: "event", Cwd: filepath.Dir(k.path), Transcript: k.transcript(), At: time.Now()}))
	}
	work(w.t, w.home)
	requireOnce(w.t, w.home, w.talks...)
}

// talksOf are the talks of a seed: invented ones, with forks.
func talksOf(seed uint64) []talk {
	random := rand.New(rand.NewPCG(seed, 1))
	a := invented(random, fmt.Sprintf("a%d", seed), 60)
	b, c := a.forked(random, fmt.Sprintf("b%d", seed)), a.forked(random, fmt.Sprintf("c%d", seed))
	return []talk{a, b, c}
}

// A transcript that is read by whichever events while it grows, is shortened and written
// anew, is stored as one that was read once.
func TestATranscriptReadInAnyPieces(t *testing.T) {
	worlds := uint64(3)
	if repotest.Long() {
		worlds = 12
	}
	for seed := range worlds {
		w := newWorld(t, seed, invented(rand.New(rand.NewPCG(seed, 2)), "s", 120))
		for range 60 {
			w.step()
			if w.random.IntN(3) == 0 {
				work(t, w.home)
			}
		}
		w.finish()
		turns, _ := stored(t, w.home)
		require.Equal(t, atOnce(t, w.talks...), turns, "seed %d", seed)
	}
}

// The same with forks, in which the same records have the ids of other sessions.
func TestForkedSessions(t *testing.T) {
	worlds := uint64(3)
	if repotest.Long() {
		worlds = 12
	}
	for seed := range worlds {
		w := newWorld(t, seed, talksOf(seed)...)
		for range 60 {
			w.step()
			if w.random.IntN(3) == 0 {
				work(t, w.home)
			}
		}
		w.finish()
	}
}

// The same with the transcripts of other agents.
func TestTranscriptsOfAgentsInAnyPieces(t *testing.T) { inAnyPieces(t, agentTalks(t)) }

// The same with the transcripts of real sessions.
func TestSharedTranscriptsInAnyPieces(t *testing.T) {
	if testing.Short() {
		t.Skip("invented ones are read side by side, too")
	}
	inAnyPieces(t, sharedTalks(t))
}

// inAnyPieces reads each talk while it is written.
func inAnyPieces(t *testing.T, talks []talk) {
	for i, k := range talks {
		t.Run(k.name, func(t *testing.T) {
			w := newWorld(t, uint64(i), k)
			steps := 8
			if repotest.Long() {
				steps = 25
			}
			for range steps {
				w.step()
				if w.random.IntN(3) == 0 {
					work(t, w.home)
				}
			}
			w.finish()
			turns, _ := stored(t, w.home)
			require.Equal(t, atOnce(t, w.talks...), turns)
		})
	}
}

// Several worker processes at once, each killed at any point.
func TestKilledWorkers(t *testing.T) {
	rounds := 10
	if testing.Short() {
		rounds = 4
	}
	seed := uint64(time.Now().UnixNano())
	t.Log("seed", seed)
	w := newWorld(t, seed, slices.Concat(talksOf(seed), talksOf(seed+1), agentTalks(t))...)
	killed := 0
	for round := 0; round < rounds || killed == 0 && round < 10*rounds; round++ {
		var all sync.WaitGroup
		for range 2 {
			cmd := worker("forever", w.home)
			var said bytes.Buffer
			cmd.Stderr = &said
			require.NoError(t, cmd.Start())
			delay := time.Duration(5+w.random.IntN(100)) * time.Millisecond
			all.Go(func() {
				time.Sleep(delay)
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
				require.Empty(t, said.String())
			})
		}
		ended := make(chan struct{})
		go func() { all.Wait(); close(ended) }()
		for going := true; going; {
			w.step() // there is always something to be done when they are killed
			select {
			case <-ended:
				going = false
			default:
			}
		}
		s := statusOf(t, w.home)
		killed += s.Tried
	}
	require.Positive(t, killed, "none was killed at a job")
	w.finish()
}

// Workers of all kinds at once: what one is at the others leave, and none of them waits.
func TestWorkersAtOnce(t *testing.T) {
	const workers = 3
	w := newWorld(t, 5, talksOf(5)...)
	for range 30 {
		w.step()
	}
	failures := make([]string, workers)
	var all sync.WaitGroup
	for i := range workers {
		all.Go(func() {
			if out, err := worker("once", w.home).CombinedOutput(); err != nil {
				failures[i] = fmt.Sprintf("%v: %s", err, out)
			}
		})
	}
	for range 30 {
		w.step()
	}
	all.Wait()
	require.Equal(t, make([]string, workers), failures)
	w.finish()
}

// Readers that bypass the spool, in as many processes as there are, do not store twice
// either: turns are stored together with how far was read.
func TestReadersAtOnce(t *testing.T) {
	w := newWorld(t, 6, talksOf(6)...)
	for i, k := range w.talks {
		w.write(i, len(k.source()))
	}
	errs := make([]error, 4)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { errs[i] = readAll(t.Context(), w) })
	}
	all.Wait()
	require.NoError(t, errors.Join(errs...))
	requireOnce(t, w.home, w.talks...)
}

func readAll(ctx context.Context, w *world) error {
	s, err := store.Open(ctx, w.home)
	if err != nil {
		return err
	}
	for _, k := range w.talks {
		err = errors.Join(err, turns.ReadTranscript(ctx, s, turns.Reading{Transcript: k.transcript(), Session: "event"}))
	}
	return errors.Join(err, s.Close())
}
