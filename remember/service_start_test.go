package remember_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/storetest"
	"whence/remember"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func base(t *testing.T) *remember.Service {
	t.Helper()
	return &remember.Service{Scope: cli.Scope{Project: "/work/a/.git", Turns: "/work/a/.git"}, Dir: t.TempDir(), Session: "s1", Policy: store.Policy{Mode: store.AskFirst, Budget: 5}, Now: func() time.Time { return noon }}
}

// about is a topic.
func about(topic string) func() string { return func() string { return topic } }

var wide = learning.Budget{Count: 20, Bytes: 100000}

// What one session learns is put before the next one that works on the same topic (SC-3).
func TestACaptureSurfacesInTheNextSession(t *testing.T) {
	ctx := context.Background()
	b := base(t)
	text, _, err := b.Inject(ctx, func() string { t.Error("asked for nothing"); return "" }, wide)
	require.NoError(t, err)
	require.Empty(t, text, "there is no store yet, and none is made")

	_, err = b.Remember(ctx, learning.Learning{Description: "the ferry timetable is cached for a minute, so tests have to clear it"}, false)
	require.NoError(t, err)
	next := *b
	next.Session = "s2"
	for _, topic := range []string{"Branch: fix/timetable-cache. Files: timetable/cache.go; doesn't, a && b", ""} {
		text, _, err = next.Inject(ctx, about(topic), wide)
		require.NoError(t, err)
		require.Contains(t, text, "the ferry timetable is cached for a minute", topic)
	}
	other := *b
	other.Project = "/work/b/.git"
	text, _, err = other.Inject(ctx, about("timetable cache"), wide)
	require.NoError(t, err)
	require.Empty(t, text, "another repository does not see it")
}

// Working out a topic takes time, so it is not done if no learning can be injected.
func TestNoTopicWhereNothingIsTold(t *testing.T) {
	ctx := context.Background()
	b := base(t)
	b.Dir = filepath.Join(b.Dir, "none")
	never := func() string { t.Error("it was asked for"); return "" }
	text, _, err := b.SessionStartText(ctx, config.Config{Injection: true, InjectionLimit: 5}, dispatch.SessionTools{}, never)
	require.NoError(t, err)
	require.Equal(t, remember.CaptureHint(store.Policy{}, dispatch.SessionTools{}), text)
	require.NoDirExists(t, b.Dir)
	remembered(t, b, "the ferry timetable is cached for a minute")
	text, _, err = b.SessionStartText(ctx, config.Config{}, dispatch.SessionTools{}, never)
	require.NoError(t, err)
	require.Empty(t, text)
}

// If another session was captured, the agent is shown how to ask for it.
func TestTheStartTellsOfPastSessions(t *testing.T) {
	b := base(t)
	start := func(session string) string {
		b.Session = session
		text, _, err := b.SessionStartText(t.Context(), config.Config{Injection: true}, dispatch.SessionTools{}, about(""))
		require.NoError(t, err)
		return text
	}
	s, err := store.Open(t.Context(), b.Dir)
	require.NoError(t, err)
	_, err = storetest.AddTurns(t.Context(), s, store.Transcript{Path: "x"}, store.Turn{Session: "s1", UUID: "u", Role: "user", Text: "cap the retries", At: noon, Project: b.Turns})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	const line = "run `memory-remember session 'A FEW WORDS'`: it may have been agreed there.\n"
	require.NotContains(t, start("s1"), line, "its own session")
	require.Contains(t, start("s2"), line)
	b.Turns = "/work/b/.git"
	require.NotContains(t, start("s2"), line, "another repository")
}

// Of what is shown, at most two fifths come from sessions (SC-4), within the budget, and
// each is counted.
func TestInjectionKeepsItsBudgets(t *testing.T) {
	ctx := context.Background()
	b := base(t)
	var all []learning.Learning
	for i := range 200 {
		source, age := learning.SessionCapture, i%20
		if i%2 == 0 {
			source, age = learning.Retro, 20+i%100
		}
		all = append(all, learning.Learning{
			Name: fmt.Sprintf("Learning %d", i), Description: fmt.Sprintf("the booking service wants its fare number %d in cents", i*7919), Reasoning: "it was seen",
			Category: learning.Patterns, Confidence: learning.Medium, Source: source, Project: b.Project,
			Created: noon.AddDate(0, 0, -age), Updated: noon.AddDate(0, 0, -age), Observations: 1,
		})
	}
	done, _, err := b.Import(ctx, all)
	require.NoError(t, err)
	require.Len(t, done.Added, len(all))
	var shown []string
	for _, budget := range []learning.Budget{wide, {Count: 20, Bytes: 2000}, {Count: 3, Bytes: 100000}, {Count: 0, Bytes: 1000}} {
		for _, topic := range []string{"", "fares of the booking service in cents"} {
			text, ids, err := b.Inject(ctx, about(topic), budget)
			require.NoError(t, err)
			shown = append(shown, ids...)
			require.LessOrEqual(t, len(text), budget.Bytes)
			require.LessOrEqual(t, strings.Count(text, "- Confidence:"), budget.Count)
			require.Equal(t, budget.Count > 0, text != "")
		}
	}
	s, err := store.Open(ctx, b.Dir)
	require.NoError(t, err)
	defer s.Close()
	require.NoError(t, s.Shown(ctx, store.Scope{Project: b.Project}, shown, noon))
	st, err := s.Stats(ctx, noon)
	require.NoError(t, err)
	require.NotNil(t, st.RecalledFromSessions)
	require.LessOrEqual(t, *st.RecalledFromSessions, 40.0)
}

// The hint names only what the session has.
func TestHint(t *testing.T) {
	const (
		skills  = "Available commands: /remember <learning>, /when <trigger>\n"
		shell   = "Available commands: memory-remember '<learning>', memory-when '<trigger>'\n"
		ask     = "Memory capture mode: ask-first\nPropose a learning in one line, and store it when the user agrees.\n"
		typed   = "Tip: Use `memory-remember '<learning>'` to capture insights"
		command = "Tip: Use `/remember <learning>` to capture insights, or use the `store_memory` MCP tool directly.\n"
	)
	askFirst := store.Policy{Mode: store.AskFirst, Budget: 5}
	for _, c := range []struct {
		policy store.Policy
		tools  dispatch.SessionTools
		want   string
	}{
		{askFirst, dispatch.SessionTools{}, shell + typed + ".\n" + ask},
		{askFirst, dispatch.SessionTools{Skills: true}, skills + command + ask},
		{askFirst, dispatch.SessionTools{Skills: true, Folder: "/go/bin"}, skills + command + "These programs are in /go/bin, which is not on the PATH.\n" + ask},
		{askFirst, dispatch.SessionTools{Folder: "/go/bin"}, shell + typed + ".\nThese programs are in /go/bin, which is not on the PATH.\n" + ask},
		{store.Policy{Mode: store.Silent, Budget: 2}, dispatch.SessionTools{}, shell + typed + ".\nMemory capture mode: silent\nMemory silent capture budget: 2\n"},
		{store.Policy{Mode: store.Off, Budget: 2}, dispatch.SessionTools{}, shell + typed + ".\nMemory capture mode: off\nStore only what the user asks you to remember.\n"},
	} {
		require.Equal(t, c.want, remember.CaptureHint(c.policy, c.tools))
	}
}
