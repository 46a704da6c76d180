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

// benchRead runs a function again and again on an open store of each size.
func benchRead(b *testing.B, seed int64, read func(s *store.Store, g *generator) error) {
	eachSize(b, func(b *testing.B, dir string) {
		s, err := store.OpenReadOnly(context.Background(), dir)
		require.NoError(b, err)
		defer s.Close()
		g := newGenerator(seed)
		for b.Loop() {
			require.NoError(b, read(s, g))
		}
	})
}

func searchOnce(s *store.Store, q store.Query) error {
	q.Most, q.Evidence = 5, store.MinEvidence
	_, err := s.Search(context.Background(), q)
	return err
}

func BenchmarkSearch(b *testing.B) {
	for _, words := range []int{3, 14, 129} {
		b.Run(fmt.Sprint(words, " words"), func(b *testing.B) {
			benchRead(b, 3, func(s *store.Store, g *generator) error {
				return searchOnce(s, store.Query{Text: g.sentence(words), Everywhere: true})
			})
		})
	}
}

func BenchmarkSearchInOneProject(b *testing.B) {
	benchRead(b, 3, func(s *store.Store, g *generator) error {
		return searchOnce(s, store.Query{Text: g.sentence(14), Project: "/home/somebody/project2/.git", Category: "patterns"})
	})
}

func BenchmarkSearchTurns(b *testing.B) {
	benchRead(b, 3, func(s *store.Store, g *generator) error {
		_, err := s.SearchTurns(context.Background(), store.Query{Text: g.sentence(14), Everywhere: true, Most: 5, Evidence: store.MinEvidence})
		return err
	})
}

func BenchmarkGetByName(b *testing.B) {
	name := newGenerator(1).learning(0).Name
	benchRead(b, 3, func(s *store.Store, _ *generator) error {
		_, err := s.Get(context.Background(), store.Scope{Everything: true}, name)
		return err
	})
}

func BenchmarkOpenAndSearch(b *testing.B) {
	eachSize(b, func(b *testing.B, dir string) {
		g := newGenerator(3)
		for b.Loop() {
			s, err := store.OpenReadOnly(context.Background(), dir)
			require.NoError(b, err)
			require.NoError(b, searchOnce(s, store.Query{Text: g.sentence(14), Everywhere: true}))
			require.NoError(b, s.Close())
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
