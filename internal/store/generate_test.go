package store_test

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
)

// generator makes texts that look like those of people: few words are frequent, most are
// rare, and some are identifiers.
type generator struct {
	random *rand.Rand
	zipf   *rand.Zipf
	words  []string
}

func newGenerator(seed int64) *generator {
	g := &generator{random: rand.New(rand.NewSource(seed))}
	g.words = strings.Fields(`test file error hook config cache index query build deploy commit branch server client request response timeout
		retry token session store database schema migration lock process thread queue worker event handler parser lexer table column
		row key value path folder module package import export flag option default version release tag merge rebase review pipeline
		runner container image volume network port proxy header cookie login user role permission secret log metric trace alert`)
	onsets := strings.Fields(`b br c ch cl d dr f fl g gr h j k l m n p pl pr qu r s sh sl st t tr v w z`)
	vowels := strings.Fields(`a e i o u ai ea ou`)
	ends := strings.Fields(`ble ction der fer ger ler ment mer ner nt per rd rt sk ter tion ver x`)
	pick := func(list []string) string { return list[g.random.Intn(len(list))] }
	for len(g.words) < 20000 {
		word := pick(onsets) + pick(vowels) + pick(onsets) + pick(vowels) + pick(ends)
		if g.random.Intn(12) == 0 {
			word += "_" + pick(g.words[:60])
		}
		g.words = append(g.words, word)
	}
	g.zipf = rand.NewZipf(g.random, 1.07, 80, uint64(len(g.words)-1))
	return g
}

func (g *generator) word() string { return g.words[g.zipf.Uint64()] }

func (g *generator) sentence(words int) string {
	all := make([]string, words)
	for i := range all {
		all[i] = g.word()
		if i%3 == 2 {
			all[i] = []string{"the", "and", "in", "to", "of", "with"}[g.random.Intn(6)] + " " + all[i]
		}
	}
	return strings.Join(all, " ")
}

var openings = []string{"always", "never", "prefer", "check", "avoid", "the", "when it fails, look at"}

func (g *generator) learning(i int) learning.Learning {
	text := openings[g.random.Intn(len(openings))] + " " + g.sentence(8+g.random.Intn(30))
	l := learning.Learning{
		Name: learning.Shorten(text), Description: text, Reasoning: "because " + g.sentence(6+g.random.Intn(10)),
		Category: learning.Categories()[i%3], Confidence: learning.Low, Source: learning.SessionCapture,
		Created: noon.Add(time.Duration(i) * time.Minute),
	}
	l.Updated = l.Created
	if i%2 == 0 {
		l.Project = fmt.Sprintf("/home/somebody/project%d/.git", i%40)
	}
	return l
}

// filled is the file of a store with so many learnings, and as many turns in sessions of
// 100. It is made once for all tests.
func filled(t testing.TB, n int) string {
	t.Helper()
	filledMutex.Lock()
	defer filledMutex.Unlock()
	if dir := filledStores[n]; dir != "" {
		return dir
	}
	dir, err := os.MkdirTemp("", "store")
	require.NoError(t, err)
	s, err := store.Open(context.Background(), dir)
	require.NoError(t, err)
	fill(t, s, n)
	require.NoError(t, s.Close())
	filledStores[n] = dir
	return dir
}

// fill stores so many learnings, and as many turns in sessions of 100.
func fill(t testing.TB, s *store.Store, n int) {
	t.Helper()
	g := newGenerator(1)
	var all []learning.Learning
	var turns []store.Turn
	for i := range n {
		all = append(all, g.learning(i))
		turns = append(turns, store.Turn{Session: fmt.Sprint(i / 100), UUID: fmt.Sprint(i), Role: "user", Text: g.sentence(40), At: noon})
	}
	_, err := s.Import(context.Background(), all, noon)
	require.NoError(t, err)
	_, err = s.AddCaptured(context.Background(), store.Captured{Turns: turns})
	require.NoError(t, err)
}

// many is the number of learnings in a large store of the tests.
func many() int {
	if testing.Short() {
		return 500
	}
	return 2_000
}

var (
	filledMutex  sync.Mutex
	filledStores = map[int]string{}
)

// removeFilled removes what filled has made.
func removeFilled() {
	for _, dir := range filledStores {
		os.RemoveAll(dir)
	}
}

// copyOf is a copy of a store for one test.
func copyOf(t testing.TB, from string) string {
	t.Helper()
	dir := t.TempDir()
	in, err := os.Open(file(from))
	require.NoError(t, err)
	defer in.Close()
	out, err := os.Create(filepath.Join(dir, "memory.db"))
	require.NoError(t, err)
	_, err = io.Copy(out, in)
	require.NoError(t, err)
	require.NoError(t, out.Close())
	return dir
}
