package store_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

const (
	batch      = 5
	editedMark = " (edited)"
)

// writeForever stores learnings and batches of turns, and prints what was acknowledged.
func writeForever(dir string, args []string) error {
	ctx := context.Background()
	process := number(args[0])
	s, err := store.Open(ctx, dir)
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		out, err := s.Put(ctx, learned(distinct(process, i)), store.Observation{Session: args[0]})
		if err != nil {
			return err
		}
		fmt.Println("learning", process, i)
		var turns []store.Turn
		for j := range batch {
			turns = append(turns, store.Turn{Session: args[0], UUID: fmt.Sprint(process, ":", i, "-", j), Text: distinct(i, j)})
		}
		path := fmt.Sprint("/transcript", process, "-", i)
		if _, err := storetest.AddTurns(ctx, s, store.Transcript{Path: path, Session: args[0]}, turns...); err != nil {
			return err
		}
		fmt.Println("turns", process, i)
		if _, err := s.Edit(ctx, all, out.ID, time.Time{}, func(l *learning.Learning) error {
			l.Description += editedMark
			return nil
		}); err != nil {
			return err
		}
		fmt.Println("edited", process, i)
	}
}

func TestKilledWriters(t *testing.T) {
	kills := 24
	if repotest.Long() {
		kills = 200
	}
	const writers = 2 // at a time
	dir := t.TempDir()
	seed := time.Now().UnixNano()
	t.Log("seed", seed)
	random := rand.New(rand.NewSource(seed))
	acknowledged := map[string]bool{}
	// On until one has come as far as an edit: on a slow machine, the first do not.
	edited := 0
	for n := 0; n < kills || edited == 0 && n < 10*kills; n += writers {
		outs := make([]bytes.Buffer, writers)
		wait := make([]func(), writers)
		for i := range writers {
			cmd := repotest.NewJob("write", dir, strconv.Itoa(n+i))
			var stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &outs[i], &stderr
			require.NoError(t, cmd.Start())
			delay := time.Duration(random.Intn(120+10*max(0, n-kills))) * time.Millisecond // also while it opens
			wait[i] = func() {
				time.Sleep(delay)
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
				require.Empty(t, stderr.String())
			}
		}
		for i := range writers {
			wait[i]()
			lines := bufio.NewScanner(&outs[i])
			for lines.Scan() {
				acknowledged[lines.Text()] = true
				if strings.HasPrefix(lines.Text(), "edited") {
					edited++
				}
			}
		}
		// the next process finds all of it, without repair
		s, err := store.Open(context.Background(), dir)
		require.NoError(t, err)
		require.NoError(t, s.Close())
	}
	requireSound(t, dir)
	db := raw(t, dir)
	count := func(query string, arguments ...any) (n int) {
		require.NoError(t, db.QueryRow(query, arguments...).Scan(&n), query)
		return n
	}
	for line := range acknowledged {
		var what string
		var process, i int
		_, err := fmt.Sscan(line, &what, &process, &i)
		require.NoError(t, err, line)
		text := distinct(process, i)
		switch what {
		case "learning": // it may have been edited, without time to say so
			require.Equal(t, 1, count(`SELECT count(*) FROM entries WHERE id IN ($1, $2)`, learning.ID(text), learning.ID(text+editedMark)), line)
		case "edited":
			require.Equal(t, 1, count(`SELECT count(*) FROM entries WHERE id = $1 AND description = $2`, learning.ID(text+editedMark), text+editedMark), line)
		case "turns":
			require.Equal(t, batch, count(`SELECT count(*) FROM turns WHERE session = $1 AND uuid LIKE $2`, fmt.Sprint(process), fmt.Sprint(process, ":", i, "-%")), line)
		}
	}
	require.NotZero(t, edited)
	torn := count(`SELECT count(*) FROM (SELECT 1 FROM turns GROUP BY session, substr(uuid, 1, instr(uuid, '-')) HAVING count(*) <> $1) AS torn`, batch)
	require.Zero(t, torn, "half a batch")
	t.Logf("%d kills, %d writes acknowledged", kills, len(acknowledged))
}
