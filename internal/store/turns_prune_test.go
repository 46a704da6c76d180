package store_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
)

// aged has two sessions of 6 turns, each of a repository of its own; a turn a day, the last one at noon.
func aged(t *testing.T, dir string) (*store.Store, []store.Turn) {
	s := open(t, dir)
	var turns []store.Turn
	for _, session := range []string{"one", "two"} {
		for i := range 6 {
			next := turn(session, i, fmt.Sprintf("wombat%s%d sleeps", session, i))
			next.Project, next.At = "/"+session, noon.AddDate(0, 0, i-5)
			turns = append(turns, next)
		}
	}
	read(t, s, turns...)
	return s, turns
}

func TestPrune(t *testing.T) {
	ctx := context.Background()
	long := noon.AddDate(0, 0, -2)
	for name, test := range map[string]struct {
		options store.PruneOptions
		left    map[string]int // turns by session
		pruned  store.Pruned
	}{
		"nothing is so old":      {store.PruneOptions{Before: noon.AddDate(0, 0, -5), Everywhere: true}, map[string]int{"one": 6, "two": 6}, store.Pruned{}},
		"of a repository":        {store.PruneOptions{Before: long, Project: "/one"}, map[string]int{"one": 3, "two": 6}, store.Pruned{Turns: 3, Sessions: 1, Bytes: 3 * 17}},
		"of all":                 {store.PruneOptions{Before: long, Everywhere: true}, map[string]int{"one": 3, "two": 3}, store.Pruned{Turns: 6, Sessions: 2, Bytes: 6 * 17}},
		"of a session":           {store.PruneOptions{Session: "two", Everywhere: true}, map[string]int{"one": 6}, store.Pruned{Turns: 6, Sessions: 1, Bytes: 6 * 17}},
		"of a session, by age":   {store.PruneOptions{Session: "two", Before: noon, Everywhere: true}, map[string]int{"one": 6, "two": 1}, store.Pruned{Turns: 5, Sessions: 1, Bytes: 5 * 17}},
		"of a session elsewhere": {store.PruneOptions{Session: "two", Project: "/one"}, map[string]int{"one": 6, "two": 6}, store.Pruned{}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s, turns := aged(t, dir)
			left := func() map[string]int {
				found := map[string]int{}
				for _, session := range []string{"one", "two"} {
					kept, err := s.Session(ctx, "/"+session, session)
					require.NoError(t, err)
					found[session] = len(kept)
				}
				maps.DeleteFunc(found, func(_ string, n int) bool { return n == 0 })
				return found
			}
			dry := test.options
			dry.DryRun = true
			p, err := s.Prune(ctx, dry, nil)
			require.NoError(t, err)
			require.Equal(t, test.pruned, p)
			require.Equal(t, map[string]int{"one": 6, "two": 6}, left())
			for _, want := range []store.Pruned{test.pruned, {}} {
				p, err = s.Prune(ctx, test.options, bytes.Clone)
				require.NoError(t, err)
				require.Equal(t, want, p)
				require.Equal(t, test.left, left())
			}
			requireSound(t, dir)
			for i := range turns { // no transcript brings them back
				turns[i].Text += " much longer"
			}
			require.Zero(t, readFrom(t, s, "/another", turns...))
			require.Equal(t, test.left, left())
			requireSound(t, dir)
		})
	}
}

// What is pruned, forgotten or replaced is gone from the disk: texts and words.
func TestWhatIsPrunedIsGone(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	s, _ := aged(t, dir)
	forgotten := put(t, s, "", "the numbat digs below the fence at night")
	edited := put(t, s, "", "the quokka swims to the island at night")
	content := func() []byte {
		t.Helper()
		require.NoFileExists(t, file(dir)+"-wal")
		src, err := os.ReadFile(file(dir))
		require.NoError(t, err)
		return bytes.ToLower(src)
	}
	require.NoError(t, s.Close())
	for _, step := range []struct {
		run   func(*store.Store) error
		words []string
	}{
		{func(s *store.Store) error {
			_, err := s.Prune(ctx, store.PruneOptions{Before: noon, Everywhere: true}, bytes.Clone) // one turn of each session stays
			return err
		}, []string{"wombattwo1", "wombattwo4", "two4", "wombatone1"}},
		{func(s *store.Store) error {
			_, err := s.Forget(ctx, all, forgotten[0])
			return err
		}, []string{"numbat", "fenc"}},
		{func(s *store.Store) error {
			_, err := s.Edit(ctx, all, edited[0], noon, func(l *learning.Learning) error {
				l.Name, l.Description = "potoroo", "the potoroo walks to the forest at noon"
				return nil
			})
			return err
		}, []string{"quokka", "island"}},
	} {
		for _, word := range step.words {
			require.Contains(t, string(content()), word)
		}
		s = open(t, dir)
		require.NoError(t, step.run(s))
		require.NoError(t, s.Close())
		for _, word := range step.words {
			require.NotContains(t, string(content()), word)
		}
	}
	require.Contains(t, string(content()), "wombattwo5")
	require.Contains(t, string(content()), "two/3", "its UUIDs are known")
}
