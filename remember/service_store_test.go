package remember_test

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/team"
	"whence/remember"
)

// colleague is a base of a team's store that is away as long as that is set. It tells what it
// told.
func colleague(t *testing.T, office string, away *bool) (b *remember.Service, told *[]string) {
	t.Helper()
	p, err := team.ReplicaOf(t.TempDir(), "postgres://db.example.com/whence")
	require.NoError(t, err)
	server := team.NewServer(func(ctx context.Context, _ string) (*store.Store, error) {
		if *away {
			return nil, fmt.Errorf("%w: %w", store.ErrUnusable, syscall.ECONNREFUSED)
		}
		return store.Open(ctx, office)
	})
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	told = new([]string)
	return &remember.Service{
		Scope: team.Scope{Dir: p.Dir(), Replica: p, Project: "github.com/acme/app", Turns: "github.com/acme/app"}, Server: server, Session: "s", Now: time.Now,
		Policy: store.Policy{Mode: store.Silent, Budget: 2}, Warn: func(line string) { *told = append(*told, line) },
	}, told
}

// One colleague finds at once what another has remembered; with the server away each goes on
// with what is here, and is told.
func TestATeamWorksTogether(t *testing.T) {
	office, away, near := t.TempDir(), false, false
	ann, _ := colleague(t, office, &near)
	bob, told := colleague(t, office, &away)
	r, err := ann.Remember(t.Context(), learning.Learning{Description: "The staging database is reset every night at three"}, false)
	require.NoError(t, err)
	require.Empty(t, r.Delayed)
	q := remember.SearchQuery{Text: "when is the staging database reset", Max: 5}
	found, err := bob.Search(t.Context(), q)
	require.NoError(t, err)
	require.Len(t, found.Learnings, 1)
	require.Empty(t, *told)

	away = true
	require.NoError(t, bob.Server.Close())
	found, err = bob.Search(t.Context(), q)
	require.NoError(t, err)
	require.Empty(t, found.Learnings, "his copy has not been filled")
	require.Equal(t, []string{"The team's store postgres://db.example.com/whence cannot be reached (connection refused): this is from the copy, which the server has never filled yet."}, *told)
	kept, err := bob.Remember(t.Context(), learning.Learning{Description: "The linter must run before every commit to the main branch"}, false)
	require.NoError(t, err)
	require.Equal(t, []string{"Kept here until the team's store can be reached again (connection refused)."}, kept.Notes())
	own, err := bob.Get(t.Context(), kept.ID)
	require.NoError(t, err)
	require.Equal(t, kept.Description, own.Description)
	_, err = ann.Get(t.Context(), kept.ID)
	require.ErrorIs(t, err, store.ErrUnknown)
}

// The budget of a session holds while the server is away, and what was captured within it is
// not judged again.
func TestCaptureWhileAway(t *testing.T) {
	office, away := t.TempDir(), true
	b, _ := colleague(t, office, &away)
	capture := func(text string) remember.CaptureResult {
		c, err := b.Capture(t.Context(), learning.Learning{
			Name: "a lesson", Description: text, Reasoning: "so", Category: learning.Patterns, Confidence: learning.Low, Source: learning.SessionCapture,
		}, store.Unasked)
		require.NoError(t, err)
		return c
	}
	first := capture("Sockets are closed by the daemon before its log is")
	require.Equal(t, store.Silently, first.Decision)
	require.NotEmpty(t, first.Delayed)
	require.Equal(t, store.Silently, capture("Fixtures of the parser are written by hand alone").Decision)
	over := capture("Quotas of the cache are counted in pages, not bytes")
	require.Equal(t, store.OverBudget, over.Decision)
	require.Empty(t, over.Delayed)
	away = false
	server := team.NewServer(func(ctx context.Context, _ string) (*store.Store, error) { return store.Open(ctx, office) })
	n, err := b.Replica.Send(t.Context(), server)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.NoError(t, server.Close())
}

// A learning that is on the server alone can be changed when that goes away in between.
func TestAServerThatGoesAwayInBetween(t *testing.T) {
	office, near := t.TempDir(), false
	ann, _ := colleague(t, office, &near)
	r, err := ann.Remember(t.Context(), learning.Learning{Description: "The staging database is reset every night at three"}, false)
	require.NoError(t, err)
	for name, change := range map[string]func(*remember.Service) error{
		"forget": func(b *remember.Service) error { _, err := b.Forget(t.Context(), r.ID); return err },
		"edit": func(b *remember.Service) error {
			_, _, err := b.Edit(t.Context(), r.ID, func(l *learning.Learning) { l.Name = "nightly reset" })
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			b, told := colleague(t, office, new(bool))
			b.Server = team.NewServer(func(ctx context.Context, _ string) (*store.Store, error) {
				if asked++; asked > 1 {
					return nil, store.ErrUnusable
				}
				return store.Open(ctx, office)
			})
			now := b.Now
			b.Now = func() time.Time { // between reading and writing
				require.NoError(t, b.Server.Close())
				return now()
			}
			require.NoError(t, change(b))
			require.Len(t, *told, 1)
			require.Contains(t, (*told)[0], "Kept here")
		})
	}
}
