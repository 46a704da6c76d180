package store_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
)

// all is the scope of all repositories.
var all = store.Scope{Everywhere: true}

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), dir)
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func learned(description string) learning.Learning {
	return learning.Learning{
		Name: learning.InferName(description), Description: description, Reasoning: "it was seen",
		Category: learning.InferCategory(description), Confidence: learning.Low, Source: learning.SessionCapture,
	}
}

func TestPutAndGet(t *testing.T) {
	ctx := context.Background()
	s := open(t, t.TempDir())
	out, err := s.Put(ctx, learned("always quote shell variables in hooks"), store.Observation{At: noon})
	require.NoError(t, err)
	require.False(t, out.Reinforced)
	require.Equal(t, "e0999ca62efa4a19", out.ID)
	again, err := s.Put(ctx, learned("ALWAYS  quote shell\nvariables in hooks."), store.Observation{At: noon.Add(time.Hour)})
	require.NoError(t, err)
	require.True(t, again.Reinforced)
	require.Equal(t, 2, again.Observations)
	require.Equal(t, "always quote shell variables in hooks", again.Description)
	d, err := s.Get(ctx, all, "e0999")
	require.NoError(t, err)
	require.Equal(t, again.Learning, d)
	hits, err := s.Search(ctx, store.Query{Text: "quoting of variables; don't", Max: 5})
	require.NoError(t, err)
	require.Len(t, hits, 1)
}

func TestFileIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	dir := filepath.Join(t.TempDir(), "store")
	open(t, dir)
	for name, mode := range map[string]os.FileMode{".": 0o700, "memory.db": 0o600} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode().Perm(), name)
	}
}

func TestReadOnly(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	_, err := store.OpenReadOnly(ctx, dir)
	require.ErrorIs(t, err, store.ErrNone)
	s := open(t, dir)
	_, err = s.Put(ctx, learned("always quote shell variables in hooks"), store.Observation{At: noon})
	require.NoError(t, err)
	r, err := store.OpenReadOnly(ctx, dir) // while it is open for writing
	require.NoError(t, err)
	hits, err := r.Search(ctx, store.Query{Text: strings.Repeat("quote variables ", 100)})
	require.NoError(t, err)
	require.Len(t, hits, 1)
	_, err = r.Put(ctx, learned("never put anything into a store that is read only"), store.Observation{At: noon})
	require.Error(t, err)
	require.NoError(t, r.Close())
	require.NoError(t, s.Close())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "the log is gone")
	r, err = store.OpenReadOnly(ctx, dir)
	require.NoError(t, err)
	hits, err = r.Search(ctx, store.Query{Text: "quote"})
	require.NoError(t, err)
	require.Len(t, hits, 1)
	require.NoError(t, r.Close())
}

// What was shown in a repository counts for its learnings and the global ones, not for others.
func TestShown(t *testing.T) {
	ctx := context.Background()
	s := open(t, t.TempDir())
	ids := map[string]string{}
	for i, project := range []string{"", "/shop", "/other"} {
		l := learned(distinct(1, i))
		l.Project = project
		out, err := s.Put(ctx, l, store.Observation{})
		require.NoError(t, err)
		ids[project] = out.ID
	}
	require.NoError(t, s.Shown(ctx, store.Scope{Project: "/shop"}, []string{ids[""], ids["/shop"], ids["/other"]}, noon))
	require.NoError(t, s.Shown(ctx, store.Scope{Project: "/other"}, []string{ids[""]}, noon.Add(time.Hour)))
	for project, want := range map[string]struct {
		recalls int
		last    time.Time
	}{"": {2, noon.Add(time.Hour)}, "/shop": {1, noon}, "/other": {0, time.Time{}}} {
		d, err := s.Get(ctx, all, ids[project])
		require.NoError(t, err)
		require.Equal(t, want.recalls, d.Recalls, project)
		require.Equal(t, want.last, d.LastRecalled, project)
	}
}

// What is forgotten in one repository can be imported in another; what held everywhere is forgotten in all. No text stays.
func TestForgottenInItsScope(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	s := open(t, dir)
	in := func(text, project string) learning.Learning {
		l := learned(text)
		l.Project = project
		return l
	}
	own, global := "the heron waits in the reeds", "the bittern hides in the reeds"
	for _, l := range []learning.Learning{in(own, "/a"), in(global, "")} {
		_, err := s.Put(ctx, l, store.Observation{})
		require.NoError(t, err)
		_, err = s.Forget(ctx, store.Scope{Project: "/a"}, l.Name)
		require.NoError(t, err)
	}
	require.NotContains(t, content(t, dir)["memory.db"], "reeds")
	done, err := s.Import(ctx, []learning.Learning{in(own, "/a"), in(own+"!", "/b"), in(global, "/b"), in(global, "")}, noon)
	require.NoError(t, err)
	require.Len(t, done.Forgotten, 3)
	require.Len(t, done.Added, 1)
	require.Equal(t, "/b", done.Added[0].Project)
}
