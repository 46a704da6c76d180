package team_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
)

// BenchmarkKeep is what it costs to keep a learning while the server is away, beside the same
// job that is not written through to the disk.
func BenchmarkKeep(b *testing.B) {
	b.Run("learning", func(b *testing.B) {
		_, p := newPlace(b)
		for n := 0; b.Loop(); n++ {
			write(b, p, nil, putting(lesson(n)))
		}
	})
	for name, kind := range map[string]store.OperationKind{"synced": store.OpPut, "unsynced": store.OpCounts} {
		b.Run(name, func(b *testing.B) {
			_, p := newPlace(b)
			l := lesson(1)
			for n := 0; b.Loop(); n++ {
				if n%1000 == 999 { // a spool holds only so many
					b.StopTimer()
					_, p = newPlace(b)
					b.StartTimer()
				}
				require.NoError(b, p.Enqueue(store.Operation{Kind: kind, At: noon, Learning: &l, Session: fmt.Sprint(n)}))
			}
		})
	}
}
