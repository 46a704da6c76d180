package capture_test

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
	"whence/internal/capture"
	"whence/internal/inert"
	"whence/internal/redact"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

// row is a turn as it is stored.
type row struct {
	Session, UUID, Role, Kind, Text, Project string
}

// stored returns the turns of a store, in order.
func stored(t *testing.T, home string) (turns []row) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(home, "memory.db")+"?_pragma=busy_timeout(20000)")
	require.NoError(t, err)
	defer db.Close()
	rows, err := db.Query(`SELECT session, uuid, role, kind, text, project FROM turns ORDER BY session, seq`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var r row
		require.NoError(t, rows.Scan(&r.Session, &r.UUID, &r.Role, &r.Kind, &r.Text, &r.Project))
		turns = append(turns, r)
	}
	require.NoError(t, rows.Err())
	return turns
}

// read returns the turns of transcripts, each read in one go: the last turn of each UUID.
func read(t *testing.T, talks ...talk) map[string]store.Turn {
	t.Helper()
	turns := map[string]store.Turn{}
	for _, k := range talks {
		k.path = filepath.Join(t.TempDir(), "whole")
		if k.rows != nil {
			k.path += ".db"
		}
		k.write(t, len(k.source()))
		source, err := capture.OpenTranscript(t.Context(), k.transcript())
		require.NoError(t, err)
		var f capture.Filter
		_, _, err = source.Read(transcript.Cursor{}, func(r transcript.Record) error {
			r = r.Map(func(s string) string { s, _ = redact.Text(s); return s })
			for _, turn := range f.Add(r) {
				turn.Text = inert.Clean(turn.Text)
				if old, known := turns[turn.UUID]; !known || !strings.HasPrefix(old.Text, turn.Text) {
					turns[turn.UUID] = turn
				}
			}
			return nil
		})
		require.NoError(t, errors.Join(err, source.Close()))
	}
	return turns
}

// requireOnce requires that a store has the turns of talks, each once, and nothing else.
func requireOnce(t *testing.T, home string, talks ...talk) {
	t.Helper()
	want := read(t, talks...)
	for _, r := range stored(t, home) {
		turn, known := want[r.UUID]
		require.True(t, known, "%s %s %q was never said, or is stored twice", r.Session, r.UUID, r.Text)
		require.Equal(t, []string{turn.Kind, turn.Role, turn.Text}, []string{r.Kind, r.Role, r.Text}, r.UUID)
		delete(want, r.UUID)
	}
	require.Empty(t, want, "these are lost")
}

// inOneGo reads each transcript in one go, in order, and returns what is stored.
func inOneGo(t *testing.T, talks ...talk) []row {
	t.Helper()
	home := storetest.ConsentingHome(t)
	for i, k := range talks {
		k.write(t, len(k.source()))
		require.NoError(t, register(home, k.transcript(), time.Now().Add(-time.Duration(i+1)*time.Minute)))
	}
	work(t, home)
	return stored(t, home)
}

func work(t *testing.T, home string) capture.Done {
	t.Helper()
	done, err := capture.Work(t.Context(), home, func(string) string { return "" }, nil)
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
}

func newWorld(t *testing.T, seed uint64, talks ...talk) *world {
	t.Log("seed", seed)
	w := &world{t: t, random: rand.New(rand.NewPCG(seed, seed)), home: storetest.ConsentingHome(t), talks: talks, sizes: make([]int, len(talks))}
	dir := t.TempDir()
	for i := range talks {
		talks[i].path = filepath.Join(dir, fmt.Sprintf("%d.jsonl", i))
		if talks[i].rows != nil {
			talks[i].path = filepath.Join(dir, fmt.Sprintf("%d.db", i))
		}
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

// step makes one transcript grow, shrink, or get more at its front, and returns its number.
func (w *world) step() (i int) {
	w.t.Helper()
	i = w.random.IntN(len(w.talks))
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
		w.write(i, min(w.sizes[i]+len(added), len(w.talks[i].source())))
	default:
		w.write(i, min(len(whole), w.sizes[i]+grow))
	}
	return i
}

// tell registers a transcript.
func (w *world) tell(i int) {
	w.t.Helper()
	require.NoError(w.t, register(w.home, w.talks[i].transcript(), time.Now().Add(-time.Minute)))
}

// finish writes the transcripts to their ends, with one event.
func (w *world) finish() {
	w.t.Helper()
	for i, k := range w.talks {
		w.write(i, len(k.source()))
		w.tell(i)
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

// A transcript that is read at any events while it grows, is shortened and is rewritten, is
// stored like one that was read once.
func TestATranscriptReadInAnyPieces(t *testing.T) {
	worlds := uint64(3)
	if repotest.Long() {
		worlds = 12
	}
	for seed := range worlds {
		w := newWorld(t, seed, invented(rand.New(rand.NewPCG(seed, 2)), "s", 120))
		for range 60 {
			w.tell(w.step())
			if w.random.IntN(3) == 0 {
				work(t, w.home)
			}
		}
		w.finish()
		require.Equal(t, inOneGo(t, w.talks...), stored(t, w.home), "seed %d", seed)
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
			w.tell(w.step())
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
			steps := 4
			if repotest.Long() {
				steps = 25
			}
			for range steps {
				w.tell(w.step())
				if w.random.IntN(3) == 0 {
					work(t, w.home)
				}
			}
			w.finish()
			require.Equal(t, inOneGo(t, w.talks...), stored(t, w.home))
		})
	}
}
