package turns_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/agent/transcript"
	"whence/internal/redact"
	"whence/internal/turns"
)

// largeSize is how large the transcript is that benchmarks read.
const largeSize = 100 << 20

// largeFile is a transcript made of the real ones, again and again with other ids.
func largeFile(b *testing.B) (*os.File, int64) {
	b.Helper()
	file, err := os.Create(filepath.Join(b.TempDir(), "large.jsonl"))
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, file.Close()) })
	paths := shared(b)
	size := int64(0)
	for round := 0; size < largeSize; round++ {
		for _, path := range paths {
			src := source(b, path)
			for _, prefix := range []string{`"uuid":"`, `"uuid": "`, `"id":"msg_`} {
				src = bytes.ReplaceAll(src, []byte(prefix), []byte(prefix+fmt.Sprint(round, "-")))
			}
			n, err := file.Write(src)
			require.NoError(b, err)
			size += int64(n)
		}
	}
	return file, size
}

// filterFile reads and filters what is behind a cursor.
func filterFile(b *testing.B, file *os.File, size int64, from transcript.Cursor, of func(string) string) (transcript.Cursor, int) {
	var f turns.Filter
	n := 0
	at, _, err := transcript.Read(file, size, from, func(r transcript.Record) error {
		n += len(f.Add(r.Map(of)))
		return nil
	})
	require.NoError(b, err)
	return at, n
}

func same(text string) string { return text }

func BenchmarkReadLarge(b *testing.B) {
	file, size := largeFile(b)
	b.SetBytes(size)
	for name, of := range map[string]func(string) string{"plain": same, "redacted": func(text string) string { text, _ = redact.Text(text); return text }} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				_, n = filterFile(b, file, size, transcript.Cursor{}, of)
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(n), "turns")
			b.ReportMetric(float64(m.HeapSys)/(1<<20), "heap-MB")
		})
	}
}

// BenchmarkReadTail reads the last records of a large transcript, as is done whenever an
// agent stops.
func BenchmarkReadTail(b *testing.B) {
	file, size := largeFile(b)
	for _, tail := range []int64{0, 64 << 10} {
		b.Run(fmt.Sprint(tail), func(b *testing.B) {
			from, _ := filterFile(b, file, size-tail, transcript.Cursor{}, same)
			for b.Loop() {
				filterFile(b, file, size, from, same)
			}
		})
	}
}
