package remember_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/repotest"
)

// writer writes texts in which few words are common and most are rare, as in any
// language: those of an index run from 0 on, the first being the commonest.
type writer struct {
	random *rand.Rand
	zipf   *rand.Zipf
}

func newWriter() *writer {
	random := rand.New(rand.NewPCG(1, 2))
	return &writer{random, rand.NewZipf(random, 1.1, 6, 20_000)}
}

var commonWords = strings.Fields(`the a to test file when before run build error never use in of and is it after cache config
	query retry lock index table deploy token queue worker client server request timeout branch merge commit hook script
	migration schema container image volume log metric`)

func (w *writer) word() string {
	n := int(w.zipf.Uint64())
	if n < len(commonWords) {
		return commonWords[n]
	}
	syllables := []string{"ba", "con", "di", "fer", "gon", "hu", "kil", "lam", "mor", "nes", "pra", "ru", "sto", "tev", "wix", "zel"}
	word := ""
	for n += 16; n > 0; n /= 16 {
		word += syllables[n%16]
	}
	return word
}

func (w *writer) words(n int) string {
	some := make([]string, n)
	for i := range some {
		some[i] = w.word()
	}
	return strings.Join(some, " ")
}

// learnings are n different ones, of 15 to 50 words: a third of the project, a third of
// others, a third of none.
func (w *writer) learnings(n int, project string) []learning.Learning {
	all := make([]learning.Learning, n)
	for i := range all {
		text := fmt.Sprintf("Never %s: case %d", w.words(12+w.random.IntN(30)), i)
		all[i] = learning.Learning{
			Name: learning.Shorten(w.words(6)), Description: text, Reasoning: w.words(8), Category: []learning.Category{learning.AntiPatterns, learning.Heuristics, learning.Patterns}[i%3],
			Confidence: learning.Low, Source: learning.SessionCapture,
		}
		switch i % 9 {
		case 0, 1, 2:
			all[i].Project = project
		case 3, 4, 5:
			all[i].Project = fmt.Sprintf("/home/somebody/project%d/.git", i%9)
		}
	}
	return all
}

// BenchmarkProcess measures the whole program, in stores of any size.
func BenchmarkProcess(b *testing.B) {
	dir := b.TempDir()
	program := repotest.Build(b, dir, "whence/remember/memory-remember")
	b.Setenv("WHENCE_SESSION", "bench")
	memory, err := filepath.EvalSymlinks(dir)
	require.NoError(b, err)
	memory = filepath.Join(memory, "memory")
	require.NoError(b, exec.Command("git", "init", "--quiet", memory).Run())
	for _, size := range []int{10_000, 100_000} {
		w := newWriter()
		home := repotest.ClaimHome(b, filepath.Join(dir, fmt.Sprint(size)))
		b.Setenv("WHENCE_HOME", home)
		s, err := store.Open(context.Background(), home)
		require.NoError(b, err)
		all := w.learnings(size, filepath.Join(memory, ".git"))
		_, err = s.Import(context.Background(), all, time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC))
		require.NoError(b, err)
		require.NoError(b, s.Close())
		run := func(name string, args ...string) {
			b.Run(fmt.Sprintf("learnings=%d/%s", size, name), func(b *testing.B) { repotest.Compare(b, program, append(args, "--repo", memory)...) })
		}
		b.Run(fmt.Sprintf("learnings=%d/remember", size), func(b *testing.B) {
			repotest.CompareFunc(b, "", program, func() []string { return []string{"Never " + w.words(25), "--repo", memory} })
		})
		known := strings.Fields(all[size-1].Description) // of no project
		run("search/words=3", append([]string{"search"}, known[1:4]...)...)
	}
}
