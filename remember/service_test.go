package remember_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/remember"
)

func newBase(t *testing.T) *remember.Service {
	return &remember.Service{Dir: t.TempDir(), Session: "s", Now: time.Now, Policy: store.Policy{Mode: store.AskFirst}}
}

// Our own variable goes before those of agents; without any it is the day, in UTC, in the repository.
func TestSessionOf(t *testing.T) {
	now := time.Date(2026, 11, 21, 23, 30, 0, 0, time.FixedZone("west", -3600))
	vars := map[string]string{}
	session := func() string {
		return remember.SessionOf(func(name string) string { return vars[name] }, "/r/.git", now)
	}
	require.Equal(t, "day 2026-11-22 /r/.git", session())
	for _, name := range []string{"CURSOR_CONVERSATION_ID", "CODEX_THREAD_ID", "GEMINI_SESSION_ID", "COPILOT_AGENT_SESSION_ID", "CLAUDE_CODE_SESSION_ID", "WHENCE_SESSION"} {
		vars[name] = name
		require.Equal(t, name, session())
	}
}

// Texts up to the limit are stored, in whatever script; longer ones are refused whole, on
// every way into the store.
func TestLength(t *testing.T) {
	b, ctx := newBase(t), t.Context()
	text := func(n int) string { return strings.Repeat("日本 ", n/3) }
	approved := true
	a := remember.StoreArguments{Name: "N", Reasoning: "r", Category: "patterns", Approved: &approved, Description: text(19_500)}
	_, err := b.Store(ctx, a)
	require.NoError(t, err)
	a.Description = text(21_000)
	_, _, importErr := b.Import(ctx, []learning.Learning{{Description: a.Description}})
	for way, err := range map[string]error{
		"import":   importErr,
		"store":    second(b.Store(ctx, a)),
		"remember": second(b.Remember(ctx, learning.Learning{Description: a.Description}, false)),
		"edit":     third(b.Edit(ctx, "N", func(old *learning.Learning) { old.Description = a.Description })),
	} {
		var length *remember.LengthError
		require.ErrorAs(t, err, &length, way)
		require.Equal(t, "Entry rejected: "+err.Error(), remember.RefusalText(err))
	}
}

func second[A any](_ A, err error) error        { return err }
func third[A, B any](_ A, _ B, err error) error { return err }

// What a proposal shows to the user has no secrets in it either, and nothing is stored.
func TestProposal(t *testing.T) {
	b := newBase(t)
	const password = "hunter2hunter2"
	c, err := b.Store(t.Context(), remember.StoreArguments{Name: "Login", Description: "The admin logs in with password=" + password + " on staging.", Reasoning: "seen", Category: "heuristics"})
	require.NoError(t, err)
	require.Equal(t, store.Proposed, c.Decision)
	require.NotContains(t, c.Message()+strings.Join(c.Notes(), "\n"), password)
	require.NotEmpty(t, c.Redacted)
	require.NoError(t, b.Read(t.Context(), func(s *store.Store) error {
		_, err := s.Get(t.Context(), store.Scope{Everywhere: true}, c.ID)
		require.ErrorIs(t, err, store.ErrUnknown)
		return nil
	}))
}
