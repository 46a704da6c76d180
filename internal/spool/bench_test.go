package spool_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/spool"
	"whence/internal/test/repotest"
)

// job is as large as the jobs of hooks.
var job = []byte(strings.Repeat("what was said ", 150))

// backlog returns a spool with n jobs.
func backlog(b *testing.B, waiting int) (dir string) {
	b.Helper()
	dir = filepath.Join(b.TempDir(), "spool")
	require.NoError(b, spool.Add(dir, "", job))
	one := only(b, dir)
	for i := range waiting {
		require.NoError(b, os.WriteFile(filepath.Join(dir, at(one, int64(i))), nil, 0o600))
	}
	require.NoError(b, os.Remove(filepath.Join(dir, one)))
	return dir
}

func only(b *testing.B, dir string) string {
	entries, err := os.ReadDir(dir)
	require.NoError(b, err)
	require.Len(b, entries, 1)
	return entries[0].Name()
}

func BenchmarkAdd(b *testing.B) {
	for _, waiting := range []int{0, 100, 9_000} {
		b.Run(fmt.Sprintf("waiting=%d", waiting), func(b *testing.B) {
			dir := backlog(b, waiting)
			for n := 0; b.Loop(); n++ {
				require.NoError(b, spool.Add(dir, "session", job))
				if n%50 == 0 { // else the spool would grow
					b.StopTimer()
					entries, err := os.ReadDir(dir)
					require.NoError(b, err)
					for _, e := range entries[min(waiting, len(entries)):] {
						require.NoError(b, os.Remove(filepath.Join(dir, e.Name())))
					}
					b.StartTimer()
				}
			}
		})
	}
}

// BenchmarkStart measures Start while a worker is running.
func BenchmarkStart(b *testing.B) {
	dir := backlog(b, 0)
	require.NoError(b, spool.Add(dir, "", job))
	_, err := spool.Drain(context.Background(), dir, func(string, []byte) error {
		for b.Loop() {
			if err := spool.Start(dir, "no program"); err != nil {
				return err
			}
		}
		return nil
	})
	require.NoError(b, err)
}

// BenchmarkDrain measures the overhead of a worker for a job.
func BenchmarkDrain(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "spool")
	for b.Loop() {
		require.NoError(b, spool.Add(dir, "", job))
		_, err := spool.Drain(context.Background(), dir, func(string, []byte) error { return nil })
		require.NoError(b, err)
	}
}

// BenchmarkProcess measures a whole program: one that only reads, one that adds a job, and
// one that starts a worker besides.
func BenchmarkProcess(b *testing.B) {
	program := repotest.Build(b, b.TempDir(), filepath.Join(repotest.Root(b), "internal", "spool", "testdata", "probe", "main.go"))
	for _, what := range []string{"nothing", "add", "start"} {
		b.Run(what, func(b *testing.B) {
			dir := filepath.Join(b.TempDir(), "spool")
			repotest.CompareInput(b, string(job), program, what, dir)
		})
	}
}
