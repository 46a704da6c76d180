package store_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/test/pgtest"

	"whence/internal/test/repotest"
)

// Many processes at once, on each engine, with a disk that is waited for: operations a
// second, and how long each kind takes, half of them and 19 of 20. Nothing may be lost.
func BenchmarkClients(b *testing.B) {
	const clients = 16
	operations := 500
	switch {
	case testing.Short():
		operations = 100
	case repotest.Long():
		operations = 2000
	}
	place := map[string]func(b *testing.B) string{
		"sqlite":   func(b *testing.B) string { return filepath.Join(b.TempDir(), "store") },
		"postgres": func(b *testing.B) string { return databaseOn(b, pgtest.StartOwn(b, pgtest.Options{Fsync: true})) },
	}
	for _, engine := range []string{"sqlite", "postgres"} {
		b.Run(engine, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				dir := place[engine](b)
				b.StartTimer()
				start := time.Now()
				took := timed(b, clients, dir, operations)
				b.ReportMetric(float64(clients*operations)/time.Since(start).Seconds(), "operations/s")
				b.StopTimer()
				for name, all := range took {
					slices.Sort(all)
					b.ReportMetric(milliseconds(all[len(all)/2]), name+"-p50-ms")
					b.ReportMetric(milliseconds(all[len(all)*19/20]), name+"-p95-ms")
				}
				requireAll(b, dir, clients*operations)
				b.StartTimer()
			}
		})
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// timed runs the mixture in many processes; it returns how long operations took, by kind.
func timed(b *testing.B, clients int, dir string, operations int) map[string][]time.Duration {
	b.Helper()
	outputs, failures := make([][]byte, clients), make([]string, clients)
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			var said bytes.Buffer
			cmd := child("mix", dir, strconv.Itoa(i), strconv.Itoa(operations), "timed")
			cmd.Stderr = &said
			out, err := cmd.Output()
			if err != nil {
				failures[i] = fmt.Sprintf("%v: %s", err, &said)
			}
			outputs[i] = out
		})
	}
	all.Wait()
	took := map[string][]time.Duration{}
	for i, out := range outputs {
		require.Empty(b, failures[i], "client %d", i)
		for line := range strings.Lines(string(out)) {
			name, nanoseconds, _ := strings.Cut(strings.TrimSpace(line), " ")
			took[name] = append(took[name], time.Duration(number(nanoseconds)))
		}
	}
	return took
}
