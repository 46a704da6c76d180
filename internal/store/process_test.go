package store_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/repotest"
)

func TestMain(m *testing.M) {
	os.Exit(repotest.Main(m.Run, map[string]repotest.JobFunc{
		"mix":     mixed,
		"same":    putSame,
		"open":    openAtTheBarrier,
		"write":   writeForever,
		"hold":    holdTheLock,
		"capture": captureSilently,
		"search":  searchReadOnly,
	}))
}

// skipProcesses skips a test of processes with -short: the race detector sees none of what
// they do to each other.
func skipProcesses(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("processes run side by side here, no goroutines")
	}
}

// run runs processes at the same time, and requires that none fails. Each gets its
// number as the first argument.
func run(t *testing.T, processes int, job, dir string, args ...string) {
	t.Helper()
	skipProcesses(t)
	failures := make([]string, processes)
	var all sync.WaitGroup
	for i := range processes {
		all.Go(func() {
			cmd := repotest.NewJob(job, dir, append([]string{strconv.Itoa(i)}, args...)...)
			if out, err := cmd.CombinedOutput(); err != nil {
				failures[i] = fmt.Sprintf("%v: %s", err, bytes.TrimSpace(out))
			}
		})
	}
	all.Wait()
	for i, failure := range failures {
		require.Empty(t, failure, "process %d", i)
	}
}

// background runs a process until the test ends, and returns when it has said
// something.
func background(t *testing.T, job, dir string, args ...string) {
	t.Helper()
	skipProcesses(t)
	cmd := repotest.NewJob(job, dir, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	_, err = io.ReadFull(out, make([]byte, 1))
	require.NoError(t, err)
}

// barrier waits until a file exists.
func barrier(name string) error {
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); {
		if _, err := os.Stat(name); err == nil {
			return nil
		}
		time.Sleep(100 * time.Microsecond)
	}
	return fmt.Errorf("%s did not come", name)
}

func openAtTheBarrier(dir string, args []string) error {
	if err := barrier(dir + ".go"); err != nil {
		return err
	}
	s, err := store.Open(context.Background(), dir)
	if err != nil {
		return err
	}
	if _, err := s.Put(context.Background(), learned("module_"+args[0]+" keeps a pool of its own for the queue"), store.Observation{}); err != nil {
		return err
	}
	return s.Close()
}

// holdTheLock begins a write, says so, and ends it with its standard input.
func holdTheLock(dir string, _ []string) error {
	s, err := store.Open(context.Background(), dir)
	if err != nil {
		return err
	}
	defer s.Close()
	_, err = s.Edit(context.Background(), all, learning.ID("the one that is held is about quoting variables"), time.Time{}, func(*learningType) error {
		fmt.Print(".")
		_, err := io.Copy(io.Discard, os.Stdin)
		return err
	})
	return err
}

// searchReadOnly searches a store for a word, and fails where it finds nothing.
func searchReadOnly(dir string, args []string) error {
	s, err := store.OpenReadOnly(context.Background(), dir)
	if err != nil {
		return err
	}
	defer s.Close()
	hits, err := s.Search(context.Background(), store.Query{Text: args[0], Scope: all})
	if err == nil && len(hits) == 0 {
		err = fmt.Errorf("nothing found")
	}
	return err
}

// names are those of the files in a folder.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		all = append(all, entry.Name())
	}
	return all
}

func file(dir string) string { return filepath.Join(dir, "memory.db") }
