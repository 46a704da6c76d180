package store_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
)

// sizes are those of the stores of the benchmarks.
var sizes = []int{10_000, 100_000}

func eachSize(b *testing.B, run func(b *testing.B, dir string)) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			if n > 10_000 && testing.Short() {
				b.Skip("takes a minute to fill")
			}
			run(b, filled(b, n))
		})
	}
}

func BenchmarkPut(b *testing.B) {
	eachSize(b, func(b *testing.B, dir string) {
		s, err := store.Open(context.Background(), copyOf(b, dir))
		require.NoError(b, err)
		defer s.Close()
		g := newGenerator(2)
		for b.Loop() {
			_, err := s.Put(context.Background(), g.learning(0), store.Observation{At: noon})
			require.NoError(b, err)
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	for _, words := range []int{3, 14, 129} {
		b.Run(fmt.Sprint(words, " words"), func(b *testing.B) {
			eachSize(b, func(b *testing.B, dir string) {
				s, err := store.OpenReadOnly(context.Background(), dir)
				require.NoError(b, err)
				defer s.Close()
				g := newGenerator(3)
				for b.Loop() {
					_, err := s.Search(context.Background(), store.Query{Text: g.sentence(words), Everywhere: true, Most: 5, Evidence: store.MinEvidence})
					require.NoError(b, err)
				}
			})
		})
	}
}

func BenchmarkSearchInOneProject(b *testing.B) {
	eachSize(b, func(b *testing.B, dir string) {
		s, err := store.OpenReadOnly(context.Background(), dir)
		require.NoError(b, err)
		defer s.Close()
		g := newGenerator(3)
		for b.Loop() {
			_, err := s.Search(context.Background(), store.Query{Text: g.sentence(14), Project: "/home/somebody/project2/.git", Category: "patterns", Most: 5, Evidence: store.MinEvidence})
			require.NoError(b, err)
		}
	})
}

func BenchmarkSearchTurns(b *testing.B) {
	eachSize(b, func(b *testing.B, dir string) {
		s, err := store.OpenReadOnly(context.Background(), dir)
		require.NoError(b, err)
		defer s.Close()
		g := newGenerator(3)
		for b.Loop() {
			_, err := s.SearchTurns(context.Background(), store.Query{Text: g.sentence(14), Everywhere: true, Most: 5, Evidence: store.MinEvidence})
			require.NoError(b, err)
		}
	})
}

func BenchmarkOpenAndSearch(b *testing.B) {
	eachSize(b, func(b *testing.B, dir string) {
		g := newGenerator(3)
		for b.Loop() {
			s, err := store.OpenReadOnly(context.Background(), dir)
			require.NoError(b, err)
			_, err = s.Search(context.Background(), store.Query{Text: g.sentence(14), Everywhere: true, Most: 5, Evidence: store.MinEvidence})
			require.NoError(b, err)
			require.NoError(b, s.Close())
		}
	})
}

func BenchmarkGetByName(b *testing.B) {
	eachSize(b, func(b *testing.B, dir string) {
		s, err := store.OpenReadOnly(context.Background(), dir)
		require.NoError(b, err)
		defer s.Close()
		g := newGenerator(1)
		l := g.learning(0)
		for b.Loop() {
			_, err := s.Get(context.Background(), l.Name)
			require.NoError(b, err)
		}
	})
}

func BenchmarkAddTurn(b *testing.B) {
	eachSize(b, func(b *testing.B, dir string) {
		s, err := store.Open(context.Background(), copyOf(b, dir))
		require.NoError(b, err)
		defer s.Close()
		g := newGenerator(4)
		n := 0
		for b.Loop() {
			n++
			_, err := s.AddCaptured(context.Background(), store.Captured{Turns: []store.Turn{{Session: "new", UUID: fmt.Sprint("new", n), Text: g.sentence(40), At: noon}}})
			require.NoError(b, err)
		}
	})
}
