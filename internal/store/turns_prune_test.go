package store_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
)

// aged is a store with sessions of 6 turns, one of each project; a turn a day, the last one
// at noon.
func aged(t *testing.T, dir string) *store.Store {
	s := open(t, dir)
	for _, session := range []string{"one", "two", "global"} {
		c := store.Captured{Session: session, Project: "/" + session, Change: "change-" + session, Transcript: session + ".jsonl", After: []byte("wombatstate " + session)}
		if session == "global" {
			c.Project = ""
		}
		for i := range 6 {
			turn := piece(fmt.Sprint(session, i), fmt.Sprintf("wombat%s%d sleeps", session, i), "", 0)
			turn.At = noon.AddDate(0, 0, i-5)
			c.Turns = append(c.Turns, turn)
		}
		capture(t, s, c)
	}
	return s
}

func TestPrune(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		here := store.PruneOptions{Before: noon.AddDate(0, 0, -2), Project: "/one"}
		everywhere := store.PruneOptions{Before: noon.AddDate(0, 0, -2), Everywhere: true}
		session := store.PruneOptions{Session: "two", Everywhere: true}
		for name, test := range map[string]struct {
			options store.PruneOptions
			left    map[string]string // numbers of the turns by session
			pruned  store.Pruned
		}{
			"nothing is so old":      {store.PruneOptions{Before: noon.AddDate(0, 0, -5), Everywhere: true}, map[string]string{"one": "012345", "two": "012345", "global": "012345"}, store.Pruned{}},
			"of a project":           {here, map[string]string{"one": "345", "two": "012345", "global": "345"}, store.Pruned{Turns: 6, Sessions: 2, Bytes: 3*17 + 3*20}},
			"of all":                 {everywhere, map[string]string{"one": "345", "two": "345", "global": "345"}, store.Pruned{Turns: 9, Sessions: 3, Bytes: 6*17 + 3*20}},
			"of a session":           {session, map[string]string{"one": "012345", "global": "012345"}, store.Pruned{Turns: 6, Sessions: 1, Bytes: 6 * 17}},
			"of a session, by age":   {store.PruneOptions{Session: "two", Before: noon, Everywhere: true}, map[string]string{"one": "012345", "two": "5", "global": "012345"}, store.Pruned{Turns: 5, Sessions: 1, Bytes: 5 * 17}},
			"of an unknown session":  {store.PruneOptions{Session: "three", Everywhere: true}, map[string]string{"one": "012345", "two": "012345", "global": "012345"}, store.Pruned{}},
			"all":                    {store.PruneOptions{Everywhere: true}, map[string]string{}, store.Pruned{Turns: 18, Sessions: 3, Bytes: 12*17 + 6*20}},
			"of a project, any age":  {store.PruneOptions{Project: "/one"}, map[string]string{"two": "012345"}, store.Pruned{Turns: 12, Sessions: 2, Bytes: 6*17 + 6*20}},
			"of a project alone":     {store.PruneOptions{Before: noon.AddDate(0, 0, -2), Project: "/one", Alone: true}, map[string]string{"one": "345", "two": "012345", "global": "012345"}, store.Pruned{Turns: 3, Sessions: 1, Bytes: 3 * 17}},
			"of the global alone":    {store.PruneOptions{Before: noon.AddDate(0, 0, -2), Alone: true}, map[string]string{"one": "012345", "two": "012345", "global": "345"}, store.Pruned{Turns: 3, Sessions: 1, Bytes: 3 * 20}},
			"of none but the global": {store.PruneOptions{}, map[string]string{"one": "012345", "two": "012345"}, store.Pruned{Turns: 6, Sessions: 1, Bytes: 6 * 20}},
		} {
			t.Run(name, func(t *testing.T) {
				dir := place(t)
				s := aged(t, dir)
				left := func() map[string]string {
					t.Helper()
					found := map[string]string{}
					for _, r := range rows(t, dir) {
						found[r.Session] += r.Text[len("wombat"+r.Session) : len("wombat"+r.Session)+1]
					}
					return found
				}
				before := left()
				dry := test.options
				dry.DryRun = true
				p, err := s.Prune(ctx, dry)
				require.NoError(t, err)
				require.Equal(t, test.pruned, p)
				require.Equal(t, before, left())
				for _, want := range []store.Pruned{test.pruned, {}} {
					p, err = s.Prune(ctx, test.options)
					require.NoError(t, err)
					require.Equal(t, want, p)
					require.Equal(t, test.left, left())
				}
				requireSound(t, dir)
				requireNearby(t, dir)

				// no transcript brings them back, from its beginning neither, nor with a higher rank
				for session := range before {
					name := session + ".jsonl"
					state, err := s.TranscriptState(ctx, name)
					require.NoError(t, err)
					c := store.Captured{Transcript: name, Before: state, After: []byte("again"), Session: session}
					for i := range 6 {
						c.Turns = append(c.Turns, piece(fmt.Sprint(session, i), fmt.Sprintf("wombat%s%d sleeps", session, i), "", 0))
					}
					require.Zero(t, capture(t, s, c))
					for i := range c.Turns {
						if c.Turns[i].Rank = 9; !strings.Contains(test.left[session], fmt.Sprint(i)) {
							c.Turns[i].Text += " much longer"
						}
					}
					c.Before = []byte("again")
					require.Zero(t, capture(t, s, c))
				}
				require.Equal(t, test.left, left())
				requireSound(t, dir)
			})
		}
	})
}

// What is pruned is gone from the disk: texts, words, and what was kept of its transcript.
func TestWhatIsPrunedIsGone(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	s := aged(t, dir)
	content := func() []byte {
		t.Helper()
		src, err := os.ReadFile(file(dir))
		require.NoError(t, err)
		return bytes.ToLower(src)
	}
	require.NoError(t, s.Close())
	require.Contains(t, string(content()), "wombattwo1")
	s = open(t, dir)
	_, err := s.Prune(ctx, store.PruneOptions{Session: "two", Everywhere: true})
	require.NoError(t, err)
	state, err := s.TranscriptState(ctx, "two.jsonl")
	require.NoError(t, err)
	require.Nil(t, state)
	require.NoError(t, s.Close())
	for _, word := range []string{"wombattwo", "wombatstate two", "change-two"} {
		require.NotContains(t, string(content()), word)
	}
	require.Contains(t, string(content()), "two3", "its UUIDs are known")
	db := raw(t, dir)
	var n int
	require.NoError(t, db.QueryRow(`SELECT count(*) FROM turns_words WHERE term LIKE 'wombattwo%'`).Scan(&n))
	require.Zero(t, n)
	require.NoError(t, db.QueryRow(`SELECT (SELECT count(*) FROM turns_fts_data WHERE instr(block, CAST('two' AS BLOB))) + (SELECT count(*) FROM turns_fts_data WHERE instr(block, CAST('chang' AS BLOB) || CAST('two' AS BLOB)))`).Scan(&n))
	require.Zero(t, n)
}

func TestASessionThatWasPrunedGoesOn(t *testing.T) {
	onEach(t, func(t *testing.T, place newStore) {
		ctx := context.Background()
		dir := place(t)
		s := aged(t, dir)
		_, err := s.Prune(ctx, store.PruneOptions{Session: "two", Everywhere: true})
		require.NoError(t, err)
		_, err = s.AddCaptured(ctx, store.Captured{Transcript: "two.jsonl", Before: []byte("wombatstate two"), Session: "two"})
		require.ErrorIs(t, err, store.ErrMoved)
		require.Equal(t, 1, capture(t, s, store.Captured{Transcript: "two.jsonl", Session: "two", Turns: []store.Turn{piece("two5", "old", "", 0), piece("two6", "a yak came", "", 0)}}))
		hits, err := s.SearchTurns(ctx, store.Query{Text: "yak", Everywhere: true})
		require.NoError(t, err)
		require.Len(t, hits, 1)
		require.Equal(t, "[session:unknown, turn 1/1]", hits[0].Prefix())
	})
}

func TestPruningMakesTheFileSmaller(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	s := open(t, dir)
	g := newGenerator(5)
	var turns []store.Turn
	for i := range many() {
		turns = append(turns, store.Turn{Session: fmt.Sprint(i / 100), UUID: fmt.Sprint(i), Text: g.sentence(40), At: noon.Add(time.Duration(i) * time.Second)})
	}
	capture(t, s, store.Captured{Turns: turns})
	require.NoError(t, s.Close())
	s = open(t, dir)
	before, err := s.Stats(ctx, noon)
	require.NoError(t, err)
	require.Equal(t, len(turns), before.Turns)
	require.Equal(t, (len(turns)+99)/100, before.Sessions)
	require.Equal(t, turns[len(turns)-1].At, *before.NewestTurn)
	size := func() int64 {
		info, err := os.Stat(file(dir))
		require.NoError(t, err)
		return info.Size()
	}
	full := size()
	p, err := s.Prune(ctx, store.PruneOptions{Before: turns[len(turns)*3/4].At, Everywhere: true})
	require.NoError(t, err)
	require.Equal(t, len(turns)*3/4, p.Turns)
	require.NoError(t, s.Close())
	s = open(t, dir)
	after, err := s.Stats(ctx, noon)
	require.NoError(t, err)
	require.Equal(t, before.Turns-p.Turns, after.Turns)
	require.Less(t, size(), full*6/10)
	requireCounts(t, dir, map[string]int{`SELECT count(DISTINCT segid) FROM turns_fts_idx`: 1}) // in which no deleted row can be
	requireSound(t, dir)
	requireNearby(t, dir)
}
