package store_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/test/storetest"
)

func turn(session string, i int, text string) store.Turn {
	return store.Turn{Session: session, UUID: fmt.Sprint(session, "/", i), Role: "user", Text: text, At: noon}
}

// read stores turns as the next part of a transcript, and returns how many were new.
func read(t testing.TB, s *store.Store, turns ...store.Turn) int {
	t.Helper()
	return readFrom(t, s, "/transcript", turns...)
}

func readFrom(t testing.TB, s *store.Store, path string, turns ...store.Turn) int {
	t.Helper()
	added, err := storetest.AddTurns(context.Background(), s, store.Transcript{Path: path, Session: "s"}, turns...)
	require.NoError(t, err)
	return added
}

func TestATurnIsStoredOnce(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	batch := []store.Turn{turn("a", 1, "one"), turn("a", 2, "two"), turn("b", 1, "one of another"), turn("a", 1, "one again")}
	require.Equal(t, 3, read(t, s, batch...))
	require.Zero(t, read(t, s, batch...))
	require.Zero(t, readFrom(t, s, "/fork", batch...), "of a forked session")
	require.Zero(t, read(t, s))
	hits, err := s.SearchSessions(context.Background(), store.Query{Text: "one again"})
	require.NoError(t, err)
	require.Len(t, hits, 2)
	best, err := s.Turn(context.Background(), hits[0].Best)
	require.NoError(t, err)
	require.Equal(t, "one again", best.Text)
	require.Equal(t, 2, best.Total)
	requireSound(t, dir)
}

// Two workers that read the same part store it once. If an event or a command of the user comes meanwhile, the part is
// read again.
func TestAReadingFromAnotherStateIsRefused(t *testing.T) {
	ctx := context.Background()
	s := open(t, t.TempDir())
	of := store.Transcript{Path: "/t", Session: "s", Agent: "codex"}
	add := func(after string, turns ...store.Turn) error {
		_, err := s.AddReadings(ctx, []store.Reading{{Of: of, After: []byte(after), Turns: turns}})
		return err
	}
	require.ErrorIs(t, add("1"), store.ErrMoved, "unknown")
	require.NoError(t, s.Register(ctx, of, bytes.Clone))
	require.ErrorIs(t, add("1", turn("a", 1, "one")), store.ErrMoved, "without consent")
	require.NoError(t, s.GiveConsent(ctx, store.Consent{Agent: "claude"}))
	require.NoError(t, s.GiveConsent(ctx, store.Consent{Agent: "codex", Project: "/other"}))
	require.ErrorIs(t, add("1", turn("a", 1, "one")), store.ErrMoved, "with consent to something else")
	require.NoError(t, s.GiveConsent(ctx, store.Consent{Agent: "codex"}))
	require.NoError(t, add("1", turn("a", 1, "one")))
	require.ErrorIs(t, add("2", turn("a", 2, "two")), store.ErrMoved)
	of.Days = 3
	require.NoError(t, s.Register(ctx, of, func(before []byte) []byte { return append(before, "an event"...) }))
	now, _, err := s.Transcript(ctx, "/t")
	require.NoError(t, err)
	require.Equal(t, []any{"1", "an event", 3}, []any{string(now.State), string(now.Watch), now.Days}, "an event keeps the state")
	of.State = now.State
	require.ErrorIs(t, add("2"), store.ErrMoved, "an event came")
	of.Watch = now.Watch
	require.NoError(t, add("2"))
	turns, err := s.Session(ctx, "", "a")
	require.NoError(t, err)
	require.Len(t, turns, 1)
}

// A consent that is withdrawn ends capture in all transcripts that it was for.
func TestConsentIsWithdrawn(t *testing.T) {
	ctx := context.Background()
	s := open(t, t.TempDir())
	for path, agent := range map[string]string{"/a": "claude", "/b": "claude", "/c": "codex"} {
		require.NoError(t, s.Register(ctx, store.Transcript{Path: path, Agent: agent, Project: path}, bytes.Clone))
		require.NoError(t, s.GiveConsent(ctx, store.Consent{Agent: agent, Project: path}))
	}
	require.NoError(t, s.GiveConsent(ctx, store.Consent{Agent: "claude"}))
	withdraw := func(c store.Consent) bool {
		any, err := s.WithdrawConsent(ctx, c, noon, func([]byte) []byte { return []byte("ended") })
		require.NoError(t, err)
		return any
	}
	ended := func() (paths []string) {
		all, err := s.Transcripts(ctx)
		require.NoError(t, err)
		for _, t := range all {
			if string(t.Watch) == "ended" {
				paths = append(paths, t.Path)
			}
		}
		return paths
	}
	require.False(t, withdraw(store.Consent{Agent: "gemini"}))
	require.False(t, withdraw(store.Consent{Agent: "codex", Project: "/a"}))
	require.Empty(t, ended())
	require.True(t, withdraw(store.Consent{Agent: "claude", Project: "/a"}))
	require.Equal(t, []string{"/a"}, ended())
	require.True(t, withdraw(store.Consent{Agent: "claude"}))
	require.ElementsMatch(t, []string{"/a", "/b"}, ended())
	left, err := s.Consents(ctx)
	require.NoError(t, err)
	require.Equal(t, []store.Consent{{Agent: "codex", Project: "/c"}}, left)
	for agent, want := range map[string]int{"claude": 2, "codex": 0} {
		got, err := s.Withdrawals(ctx, agent)
		require.NoError(t, err)
		require.Len(t, got, want, agent)
	}
	require.NoError(t, s.GiveConsent(ctx, store.Consent{Agent: "claude"}))
	got, err := s.Withdrawals(ctx, "claude")
	require.NoError(t, err)
	require.Equal(t, noon.UTC(), got[0].Since)
	require.WithinDuration(t, time.Now(), got[0].Until, time.Minute)
}

// In whatever batches turns are stored, each is found by its words, and is in its place.
func TestTurnsInBatches(t *testing.T) {
	ctx := context.Background()
	random := rand.New(rand.NewSource(1))
	for range 10 {
		dir := t.TempDir()
		s := open(t, dir)
		said := map[string][]string{}
		var batch []store.Turn
		for i := range 40 {
			session := string(rune('a' + random.Intn(3)))
			text := fmt.Sprint("word", i)
			said[session] = append(said[session], text)
			batch = append(batch, turn(session, i, text))
			if random.Intn(4) == 0 {
				if random.Intn(3) == 0 { // and one that has grown
					said[session][len(said[session])-1] += " again"
					batch = append(batch, turn(session, i, text+" again"))
				}
				read(t, s, batch...)
				batch = batch[max(0, len(batch)-random.Intn(3)):]
			}
		}
		read(t, s, batch...)
		for session, texts := range said {
			for i, text := range texts {
				word, _, _ := strings.Cut(text, " ")
				hits, err := s.SearchSessions(ctx, store.Query{Text: word})
				require.NoError(t, err)
				require.Len(t, hits, 1, "%s %d of %v", session, i, texts)
				best, err := s.Turn(ctx, hits[0].Best)
				require.NoError(t, err)
				require.Equal(t, text, best.Text)
				require.Equal(t, i+1, best.Number)
			}
		}
		requireSound(t, dir)
	}
}

// Rows that a query excludes do not hide rows that it selects.
func TestUnwantedTurnsTakeNoPlace(t *testing.T) {
	ctx := context.Background()
	s := open(t, t.TempDir())
	said := turn("a", 1, "connect the vpn before you deploy the staging cluster")
	said.Kind = "prompt"
	turns := []store.Turn{said}
	for i := range 30 {
		run := turn("b", 10+i, fmt.Sprintf("[Bash] make deploy staging cluster number%d", i))
		run.Kind = "bash"
		turns = append(turns, run, turn("c", 100+i, fmt.Sprintf("staging staging staging%d", i)))
	}
	read(t, s, turns...)
	hits, err := s.SearchSessions(ctx, store.Query{Text: "make the staging cluster ready, deploy it again", Scope: all, NoKinds: []string{"bash"}})
	require.NoError(t, err)
	require.Len(t, hits, 2)
	require.Equal(t, "a", hits[0].ID)
	require.Equal(t, said.UUID, hits[0].Best)
	require.Equal(t, "c", hits[1].ID)
}

func TestTurnsOfARepository(t *testing.T) {
	ctx := context.Background()
	s := open(t, t.TempDir())
	here, there := turn("a", 1, "why does the deploy of the wombat fail?"), turn("b", 1, "the wombat sleeps")
	here.Project, there.Project = "/here", "/there"
	answer := turn("a", 2, "the runner has no disk left")
	answer.Project = "/here"
	read(t, s, here, answer, there)
	texts := func(q store.Query) (found []string) {
		t.Helper()
		hits, err := s.SearchSessions(ctx, q)
		require.NoError(t, err)
		for _, h := range hits {
			best, err := s.Turn(ctx, h.Best)
			require.NoError(t, err)
			found = append(found, best.Text)
		}
		return found
	}
	require.Equal(t, []string{here.Text}, texts(store.Query{Text: "wombat", Scope: store.Scope{Project: "/here"}}))
	require.Equal(t, []string{there.Text}, texts(store.Query{Text: "wombat", Scope: store.Scope{Project: "/there"}}))
	require.Empty(t, texts(store.Query{Text: "wombat", Scope: store.Scope{Project: "/elsewhere"}}))
	require.Len(t, texts(store.Query{Text: "wombat", Scope: all}), 2)
	require.Len(t, texts(store.Query{Text: "wombat", Scope: all, Max: 1}), 1)
	require.Empty(t, texts(store.Query{Text: "zebra", Scope: all}))
	turns, err := s.Session(ctx, "/there", "a")
	require.NoError(t, err)
	require.Empty(t, turns, "of another repository")
}

func TestSessionsThatSpeakOfSomething(t *testing.T) {
	ctx := context.Background()
	s := open(t, t.TempDir())
	var turns []store.Turn
	for i := range 12 { // none of these says much of it, but together they do
		turns = append(turns, turn("much", i, fmt.Sprint("and then the wombat did thing", i, " in the cellar")))
	}
	turns = append(turns, turn("once", 1, "the wombat"), turn("once", 2, "of something else"), turn("never", 1, "the weather is fine"))
	for i := range 300 {
		turns = append(turns, turn("noise", i, fmt.Sprint("nothing to see here ", i)))
	}
	read(t, s, turns...)
	hits, err := s.SearchSessions(ctx, store.Query{Text: "wombat"})
	require.NoError(t, err)
	require.Len(t, hits, 2)
	require.Equal(t, "much", hits[0].ID)
	require.Equal(t, "once", hits[1].ID)
	require.Greater(t, hits[0].Score, hits[1].Score)
	hits, err = s.SearchSessions(ctx, store.Query{Text: "wombat", Max: 1})
	require.NoError(t, err)
	require.Len(t, hits, 1)
	require.Equal(t, "much", hits[0].ID)
	hits, err = s.SearchSessions(ctx, store.Query{Text: "zebra"})
	require.NoError(t, err)
	require.Empty(t, hits)
}
