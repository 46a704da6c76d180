package remember_test

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/remember"
)

func remembered(t *testing.T, b *remember.Service, description string) remember.RememberResult {
	t.Helper()
	r, err := b.Remember(context.Background(), learning.Learning{Description: description}, false)
	require.NoError(t, err)
	return r
}

// A learning does not exist in another repository, however it is named: its id is a hash of the text,
// so it can be guessed.
func TestALearningIsThatOfTheRepository(t *testing.T) {
	ctx := context.Background()
	here := base(t)
	r := remembered(t, here, "the locale of the runner is C, not ours")
	there := *here
	there.Project = "/work/b/.git"
	for _, name := range []string{r.Name, r.ID, r.ID[:4], strings.ToUpper(r.ID[:6])} {
		none := strings.Map(func(c rune) rune { return c ^ 1 }, name) // looks alike, and is not there
		for what, use := range map[string]func(name string) error{
			"get":    func(name string) error { _, err := there.Get(ctx, name); return err },
			"forget": func(name string) error { _, err := there.Forget(ctx, name); return err },
			"edit": func(name string) error {
				_, _, err := there.Edit(ctx, name, func(l *learning.Learning) { l.Name = "x" })
				return err
			},
		} {
			require.ErrorIs(t, use(name), store.ErrUnknown, what)
			require.Equal(t, strings.Replace(use(none).Error(), strconv.Quote(none), strconv.Quote(name), 1), use(name).Error(), what)
		}
		d, err := here.Get(ctx, name)
		require.NoError(t, err)
		require.Equal(t, r.ID, d.ID)
	}
}

func TestANameIsThatOfTheRepository(t *testing.T) {
	ctx := context.Background()
	here := base(t)
	r := remembered(t, here, "the locale of the runner is C, not ours")
	there := *here
	there.Project = "/work/b/.git"

	// Two repositories use one name: each means its own.
	own, err := there.Remember(ctx, learning.Learning{Name: strings.ToUpper(r.Name), Description: "tests sort by the locale of their container"}, false)
	require.NoError(t, err)
	for _, b := range []*remember.Service{here, &there} {
		d, err := b.Get(ctx, r.Name)
		require.NoError(t, err)
		require.Equal(t, b == &there, d.ID == own.ID)
	}
	_, err = there.Remember(ctx, learning.Learning{Name: r.Name, Description: "a third one with that very name, said for all"}, true)
	require.NoError(t, err)
	_, err = here.Get(ctx, r.Name)
	require.ErrorAs(t, err, new(*store.AmbiguousError))
}

// If nothing is stored yet, a request that names a learning does not create a store.
func TestWhatIsUnknownMakesNoStore(t *testing.T) {
	ctx := context.Background()
	b := base(t)
	b.Dir = filepath.Join(b.Dir, "none")
	_, err := b.Forget(ctx, "x")
	require.ErrorIs(t, err, store.ErrNone)
	found, err := b.Search(ctx, remember.SearchQuery{Text: "x", Max: 5, MaxSessions: 5})
	require.NoError(t, err)
	require.Equal(t, remember.SearchResult{}, found)
	done, _, err := b.Import(ctx, nil)
	require.NoError(t, err)
	require.Empty(t, done)
	require.NoDirExists(t, b.Dir)
}

// What was removed from a text does not count: the rest must be long enough to be a learning.
func TestWhatIsLeftMustSaySomething(t *testing.T) {
	ctx := context.Background()
	b := base(t)
	_, err := b.Remember(ctx, learning.Learning{Description: "use AKIAIOSFODNN7FERRYQQ"}, false)
	require.ErrorIs(t, err, learning.ErrTooShort)
	_, err = b.Store(ctx, remember.StoreArguments{Name: "n", Description: "<private>all of this is kept out</private>", Reasoning: "r", Category: "patterns", Approved: new(true)})
	require.Equal(t, "Entry rejected: description too short (min 20 chars)", remember.RefusalText(err))

	r := remembered(t, b, "the nightly job reads the bucket with AKIAIOSFODNN7FERRYQQ")
	require.Equal(t, []string{"AWS access key"}, r.Redacted)
	require.Equal(t, "the nightly job reads the bucket with [secret]", r.Name)
	_, redacted, err := b.Edit(ctx, r.ID, func(l *learning.Learning) { l.Description = "AKIAIOSFODNN7FERRYQQ" })
	require.ErrorIs(t, err, learning.ErrTooShort)
	require.NotEmpty(t, redacted)
	remembered(t, b, "the text [private] stands for itself where nothing was taken out")

	given := learning.Learning{Description: "signed releases are published from here", References: []string{"AKIAIOSFODNN7FERRYQQ"}}
	_, err = b.Remember(ctx, given, false)
	require.NoError(t, err)
	require.Equal(t, "AKIAIOSFODNN7FERRYQQ", given.References[0], "the caller's list stays as it is")
}

// Vectors are a second opinion: the search by words works without them, and a learning that is
// not found by words must be more similar than any two texts are.
func TestVectorsBesideWords(t *testing.T) {
	ctx := context.Background()
	b := base(t)
	r := remembered(t, b, "the ferry timetable is cached for a minute")
	s, err := store.Open(ctx, b.Dir)
	require.NoError(t, err)
	missing, err := s.Unembedded(ctx, "m", 10)
	require.NoError(t, err)
	require.NoError(t, s.Embed(ctx, "m", missing[0], []float32{1, 0}))
	require.NoError(t, s.Close())
	ask := func(text string, vector []float32, fails error) ([]store.Hit, error) {
		b.EmbedQuery = func(context.Context, string) (string, []float32, error) { return "m", vector, fails }
		found, err := b.Search(ctx, remember.SearchQuery{Text: text, Max: 5})
		require.NoError(t, err)
		return found.Learnings, found.Warning
	}
	hits, warning := ask("departures are stale", []float32{1, 0}, nil)
	require.NoError(t, warning)
	require.Len(t, hits, 1)
	require.Equal(t, r.ID, hits[0].ID)
	hits, _ = ask("departures are stale", []float32{0.5, 0.866}, nil)
	require.Empty(t, hits)
	hits, warning = ask("timetable cached", nil, errors.New("away"))
	require.EqualError(t, warning, "away")
	require.Len(t, hits, 1)
}

// A fault in an import is reported with its place, and then nothing is imported.
func TestImportIsAllOrNothing(t *testing.T) {
	ctx := context.Background()
	b := base(t)
	fine := learning.Learning{Description: "the first is fine as it stands", Confidence: learning.Medium, Source: learning.Import}
	wrong := fine
	wrong.Description, wrong.Category = "the second has no such category", "tips"
	_, _, err := b.Import(ctx, []learning.Learning{fine, wrong})
	var at *remember.ImportError
	require.ErrorAs(t, err, &at)
	require.Equal(t, 1, at.At)
	require.NoFileExists(t, filepath.Join(b.Dir, "memory.db"))
}
