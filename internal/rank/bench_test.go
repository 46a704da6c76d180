package rank_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"whence/internal/rank"
)

// word returns an invented word.
func word(n uint64) string {
	const consonants, vowels = "bdfghklmnprstvz", "aeiou"
	out := ""
	for n = n*7919 + 75; n > 0; n /= 75 {
		out += consonants[n%15:n%15+1] + vowels[n/15%5:n/15%5+1]
	}
	return out
}

// sections returns documents with as many different words as real ones have, of which few are frequent.
func sections(n int) []rank.Document {
	random := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(random, 1.1, 4, uint64(1000+8*n))
	words := func(n int) string {
		some := make([]string, n)
		for i := range some {
			some[i] = word(zipf.Uint64())
		}
		return strings.Join(some, " ")
	}
	docs := make([]rank.Document, n)
	for i := range docs {
		docs[i] = rank.Document{Trigger: words(4), Title: words(4), Description: words(7), Body: words(100)}
		for range 8 {
			docs[i].Situations = append(docs[i].Situations, words(8))
		}
	}
	return docs
}

func BenchmarkRecall(b *testing.B) {
	for _, n := range []int{374, 10_000} {
		docs := sections(n)
		text := sections(2)[1].Situations[0] + " " + sections(2)[1].Description
		b.Run(fmt.Sprintf("sections=%d", n), func(b *testing.B) {
			for b.Loop() {
				rank.NewIndex(docs).Recall(text, 3)
			}
		})
	}
}
