package rank_test

import (
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/rank"
)

// requireSame requires that an index recalls what a new one of the documents does.
func requireSame(t testing.TB, index *rank.Index, text string, docs []rank.Document, most int) {
	t.Helper()
	found, err := index.Recall(text, most)
	require.NoError(t, err)
	require.Equal(t, recall(t, text, docs, most), found, "%q", text) // to the last bit
}

// reopened is an index of documents, encoded and opened.
func reopened(t testing.TB, docs []rank.Document) *rank.Index {
	t.Helper()
	index, err := rank.OpenIndex(rank.NewIndex(docs).Encode())
	require.NoError(t, err)
	return index
}

// Texts and documents of the same few words, in many forms: everything is often the same,
// twice, missing or empty.
func TestReopenedIndexRecallsTheSame(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields(`retry retries retrying retried the who not before a of timeout timeouts client's
		RetryPolicy.maxAttempts __init__ PLR0915 HTTPServer x2y foo_bar add adding dying die use using ties
		повтор вызова сервера ünï 日本語 naïve aed oed aing ies _ __ a_ ?! 🙂 \xff caf\xe9 sky skies ski`)
	text := func(most int) string {
		some := make([]string, random.IntN(most+1))
		for i := range some {
			some[i] = words[random.IntN(len(words))]
		}
		return strings.Join(some, []string{" ", "-", ", ", ""}[random.IntN(4)])
	}
	matches := 0
	for range 300 {
		docs := make([]rank.Document, random.IntN(40))
		for i := range docs {
			docs[i] = rank.Document{Trigger: text(3), Title: text(4), Description: text(4), Body: text(30)}
			for range random.IntN(5) {
				docs[i].Situations = append(docs[i].Situations, text(6))
			}
		}
		index := reopened(t, docs)
		for range 5 {
			query := text(12)
			requireSame(t, index, query, docs, random.IntN(10))
			matches += len(recall(t, query, docs, 10))
		}
	}
	require.Greater(t, matches, 1000)
}

// What is counted up to a limit only is counted so in an index, too; and so is a text that
// is longer than what is looked at.
func TestIndexOfLongDocuments(t *testing.T) {
	docs := append([]rank.Document{
		{Trigger: strings.Repeat("retry ", 70_000), Title: "Retries", Body: strings.Repeat("client ", 70_000)},
		{Trigger: strings.Repeat("x", 300), Title: strings.Repeat("aaaa", 300), Situations: []string{strings.Repeat("retry paging ", 200)}},
	}, documents...)
	index := reopened(t, docs)
	for _, text := range []string{"retry client paging", strings.Repeat("aaaa", 300), strings.Repeat("retry the client of each page, at last; ", 1000)} {
		requireSame(t, index, text, docs, 10)
	}
}

func TestIndexKeepsLabels(t *testing.T) {
	docs := []rank.Document{{Label: "first"}, {}, {Label: "third\x00\xff"}}
	index := reopened(t, docs)
	for i, d := range docs {
		require.Equal(t, d.Label, index.Label(i))
	}
	require.Equal(t, rank.NewIndex(docs).Encode(), index.Encode())
}

// Of an index that is damaged, not one byte is believed.
func TestDamagedIndex(t *testing.T) {
	src := rank.NewIndex(documents).WithLatent().Encode()
	for i := range src {
		damaged := append([]byte{}, src...)
		damaged[i] ^= 1 << (i % 8)
		_, err := rank.OpenIndex(damaged)
		require.Error(t, err, "byte %d", i)
		_, err = rank.OpenIndex(src[:i])
		require.Error(t, err, "%d bytes", i)
	}
	_, err := rank.OpenIndex(append(append([]byte{}, src...), 0))
	require.Error(t, err)
}

// checksumAt is the offset of the checksum in an index.
const checksumAt = 8

// Whatever has the right checksum is an error, or says something about documents that there
// are.
func FuzzOpenIndex(f *testing.F) {
	src := rank.NewIndex(documents).WithLatent().Encode()
	f.Add(src, "timeouts: our client retries forever")
	f.Add(src[:60], "retry")
	for i := checksumAt + 4; i < len(src); i += 7 { // one damage each
		damaged := append([]byte{}, src...)
		damaged[i] += 1 + byte(i)
		f.Add(damaged, "the client retries, one cent off the cursor")
	}
	f.Fuzz(func(t *testing.T, src []byte, text string) {
		if len(src) > checksumAt+4 {
			src = append([]byte{}, src...)
			binary.LittleEndian.PutUint32(src[checksumAt:], crc32.Checksum(src[checksumAt+4:], crc32.MakeTable(crc32.Castagnoli)))
		}
		index, err := rank.OpenIndex(src)
		if err != nil {
			return
		}
		matches, err := index.Recall(text, 5)
		if err != nil {
			return
		}
		if len(matches) > 5 {
			t.Fatal(len(matches), "matches")
		}
		for _, m := range matches {
			_ = index.Label(m.Document) // which panics beyond the last
		}
	})
}

func FuzzIndex(f *testing.F) {
	f.Add("retryCount HTTPServer __init__ PLR0915", "foo_bar-baz x2y \xff", "ünï 日本")
	f.Add("dying ties", "die tie", "skis sky ying")
	f.Add("aed oed aing", "eing", "ying ies's")
	f.Fuzz(func(t *testing.T, text, trigger, body string) {
		docs := append([]rank.Document{{Trigger: trigger, Title: text, Description: body, Situations: []string{body, text}, Body: body}, {Trigger: body}}, documents...)
		index := reopened(t, docs)
		requireSame(t, index, text, docs, 3)
		requireSame(t, index, body+trigger, docs, 3)
	})
}
