package rank

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/text"
)

// subjects returns documents about different subjects, ten for each. A document has twelve of the
// twenty words of its subject.
func subjects(n int) []Document {
	random := rand.New(rand.NewPCG(1, 2))
	docs := make([]Document, n)
	for i := range docs {
		words := make([]string, 12)
		for j, word := range random.Perm(20)[:12] {
			words[j] = fmt.Sprintf("w%dx%d", i/10, word)
		}
		docs[i] = Document{Trigger: words[0], Title: words[1], Situations: []string{words[2] + " " + words[3]}, Body: strings.Join(words, " ")}
	}
	return docs
}

// cosines returns the similarities of a text.
func cosines(t testing.TB, x *Index, s string) []float64 {
	t.Helper()
	q := newQuery(s)
	words, grams := x.inText(q)
	all := q.newCounts(x.documents.rows())
	for i := range all {
		require.True(t, x.count(&all[i], i, words, grams))
	}
	return x.similarities(q, all)
}

// Documents that share no word with a text, but words with documents that do, are near it.
func TestCompanionsAreNear(t *testing.T) {
	docs := subjects(10 * maxDimensions)
	companion := len(docs)
	docs = append(docs, Document{Trigger: "quorum", Body: docs[0].Body}, Document{Trigger: "ballot", Body: "w0x0 w0x1 w0x2 w0x3 w0x4"})
	x := NewIndex(docs).WithLatent()
	require.Equal(t, maxDimensions, x.dimensions)
	near := cosines(t, x, "quorum")
	require.Greater(t, near[companion+1], 0.5)
	for i := range companion {
		if i < 10 {
			require.Greater(t, near[i], 0.5, "a document of the subject")
		} else {
			require.Less(t, near[i], 0.2, "another one")
		}
	}
	require.Nil(t, cosines(t, x, "xyzzy plugh"))
	require.Nil(t, cosines(t, NewIndex(docs), "quorum"), "there is no latent part")
}

// With as many dimensions as documents, nothing is left out: a document with the words of the text has
// a cosine of 1, and the others follow the product of their weights and those of the text.
func TestAllDimensionsAreExact(t *testing.T) {
	docs := subjects(40)
	x := NewIndex(docs).WithLatent()
	weights, rarity := weightsOf(docs)
	for i, d := range docs {
		words := text.Terms(d.Body)
		q := map[string]float64{}
		for _, w := range words {
			q[w] = rarity[w]
		}
		got := cosines(t, x, d.Body)
		scale := got[i] / product(q, weights[i])
		require.Positive(t, scale)
		for j := range docs {
			require.InDelta(t, product(q, weights[j])*scale, got[j], 2e-3)
		}
	}
	once := Document{Trigger: "one two three", Body: "four five six"}
	x = NewIndex(append([]Document{once, {Trigger: "seven one"}}, docs...)).WithLatent()
	require.InDelta(t, 1, cosines(t, x, "one two three four five six")[0], 1e-3)
}

// weightsOf returns the weights of the words of each document, of unit length, and those of words that
// occur once.
func weightsOf(docs []Document) (weights []map[string]float64, rarity map[string]float64) {
	rarity = map[string]float64{}
	for _, d := range docs {
		count := map[string]float64{}
		trigger := text.Terms(d.Trigger)
		for _, w := range text.Terms(d.Title) {
			if w != trigger[0] {
				count[w]++
			}
		}
		for _, w := range text.Terms(strings.Join(append(d.Situations, d.Trigger, d.Description, d.Body), "\n")) {
			count[w]++
		}
		for w := range count {
			rarity[w]++
		}
		weights = append(weights, count)
	}
	for w, n := range rarity {
		rarity[w] = math.Log(1 + float64(len(docs))/n)
	}
	for _, row := range weights {
		sum := 0.0
		for w, n := range row {
			row[w] = (1 + math.Log(n)) * rarity[w]
			sum += row[w] * row[w]
		}
		for w := range row {
			row[w] /= math.Sqrt(sum)
		}
	}
	return weights, rarity
}

func product(a, b map[string]float64) (sum float64) {
	for w, v := range a {
		sum += v * b[w]
	}
	return sum
}

// Vectors are those that X·Xᵀ only makes longer, orthogonal to each other, and the longest; also of
// matrices with many equal rows, or empty ones.
func TestScaledVectors(t *testing.T) {
	one := Document{Trigger: "quorum"}
	for name, docs := range map[string][]Document{
		"subjects":       subjects(200),
		"few":            subjects(3),
		"one":            {one},
		"none":           {},
		"an empty one":   {{}},
		"equal":          {one, one, one, one},
		"equal subjects": append(subjects(100), subjects(100)...),
		"unlike":         {one, {Trigger: "paging"}, {Trigger: "retries"}, {}},
		"one in common":  likeEachOther(90),
	} {
		t.Run(name, func(t *testing.T) {
			x := NewIndex(docs)
			require.NotPanics(t, func() { cosines(t, x.WithLatent(), "quorum") })
			rows, lengths, columns := x.matrix()
			all := scaledVectors(rows, columns, len(rows))
			sum, unempty := 0.0, 0.0
			for i, v := range all {
				sum += dot(v, v)
				image := square(rows, columns, v)
				for j := range v {
					require.InDelta(t, dot(v, v)*v[j], image[j], 1e-6)
				}
				for j := range i {
					require.InDelta(t, 0, dot(v, all[j]), 1e-6)
					require.GreaterOrEqual(t, dot(all[j], all[j]), dot(v, v)-1e-6)
				}
			}
			for _, length := range lengths {
				unempty += min(1, math.Ceil(length))
			}
			require.InDelta(t, unempty, sum, 1e-3, "nothing is missing")
			for i, v := range scaledVectors(rows, columns, maxDimensions) {
				require.InDelta(t, dot(all[i], all[i]), dot(v, v), 1e-3, "value %d", i)
			}
		})
	}
}

// likeEachOther returns documents that share one word and have another of their own: all singular
// values but the first are equal.
func likeEachOther(n int) []Document {
	docs := make([]Document, n)
	for i := range docs {
		docs[i] = Document{Trigger: fmt.Sprintf("quorum x%d", i)}
	}
	return docs
}

func TestLatentIsTheSameInEachRun(t *testing.T) {
	first := NewIndex(subjects(150)).WithLatent()
	require.Equal(t, first.Encode(), NewIndex(subjects(150)).WithLatent().Encode())
	require.Equal(t, first.Encode(), first.WithLatent().Encode(), "again")
	reopened, err := OpenIndex(first.Encode())
	require.NoError(t, err)
	require.Equal(t, cosines(t, first, "w0x1 w2x2"), cosines(t, reopened, "w0x1 w2x2"))
	require.Len(t, first.latent, 150*(4+2*maxDimensions))
}
