package store_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
)

// A sound store has no faults; each damaged row is reported.
func TestCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	ctx := context.Background()
	for statement, want := range map[string]string{
		``: ``,
		`DELETE FROM captured WHERE uuid = 's/1'`:                              "1 turns are not among those that came",
		`UPDATE turns SET count = 7 WHERE uuid = 's/2'`:                        "1 turns have another count",
		`UPDATE captured SET turn = 99 WHERE uuid = 's/2'`:                     "1 turns that came are counted where there is no turn",
		`INSERT INTO observations VALUES (77, '', '2026-01-01T00:00:00Z')`:     "1 observations are of no learning",
		`UPDATE entries SET created_at = '2030-01-01T00:00:00Z' WHERE seq = 1`: "1 learnings are from the future",
		`UPDATE turns SET created_at = '2030-01-01T00:00:00Z'`:                 "2 turns are from the future",
		`UPDATE entries SET id = 'x' WHERE seq = 1`:                            "1 learnings have an id, or a hash, that is not of their description, as x",
		`UPDATE entries SET description = 'other words' || folded`:             "the full-text index does not agree with the rows of entries",
		`UPDATE turns SET text = 'other words'`:                                "the full-text index does not agree with the rows of turns",
	} {
		t.Run(want, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir)
			for i := range 2 {
				_, err := s.Put(ctx, learned(fact(i)), store.Observation{At: noon})
				require.NoError(t, err)
			}
			_, err := s.AddCaptured(ctx, store.Captured{Turns: []store.Turn{turn("s", 1, "one"), turn("s", 2, "two")}})
			require.NoError(t, err)
			db := raw(t, dir)
			_, err = db.Exec(`PRAGMA foreign_keys = OFF; ` + statement)
			require.NoError(t, err)
			require.NoError(t, db.Close())
			c, err := s.Check(ctx, noon)
			require.NoError(t, err)
			facts := map[string]string{}
			for _, f := range c.Facts {
				facts[f.Name] = f.Value
			}
			require.Equal(t, file(dir), facts["file"])
			require.True(t, strings.HasPrefix(facts["engine"], "SQLite 3."))
			require.NotEmpty(t, facts["schema"])
			require.Contains(t, facts["round trip"], "the median of 5")
			require.Equal(t, "2, of which 0 no longer apply", facts["learnings"])
			if want == "" {
				require.Empty(t, c.Faults)
				require.Equal(t, "agree with the rows", facts["words of turns"])
				return
			}
			require.NotEmpty(t, c.Faults)
			require.Contains(t, strings.Join(c.Faults, "\n"), want)
		})
	}
}

// What is open for reading alone is checked as far as that goes.
func TestCheckWithoutWriting(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing here runs side by side")
	}
	ctx := context.Background()
	dir := t.TempDir()
	_, err := open(t, dir).Put(ctx, learned(said), store.Observation{At: noon})
	require.NoError(t, err)
	s, err := store.OpenReadOnly(ctx, dir)
	require.NoError(t, err)
	defer s.Close()
	c, err := s.Check(ctx, noon)
	require.NoError(t, err)
	require.Empty(t, c.Faults)
	require.Contains(t, c.Facts, store.Fact{Name: "words of turns", Value: "agree with the rows"})
}
