package team_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/spool"
	"whence/internal/store"
)

// What was said comes to the server once, in pieces that fit, however often it is told; and
// of what is not kept no word leaves the transcript.
func TestTurns(t *testing.T) {
	o := newOffice(t)
	_, p := newPlace(t)
	c := store.Captured{Transcript: "/home/someone/t.jsonl", After: []byte("state"), Session: "s", Project: project, Change: "fix-42", Shared: true}
	for n := range 200 {
		c.Turns = append(c.Turns, store.Turn{UUID: fmt.Sprint(n), Role: "user", Text: fmt.Sprintf("%d %s", n, strings.Repeat("<&> ", 2000))})
	}
	c.Answer = &store.Turn{Role: "assistant", Text: "done at last"}
	for range 2 {
		require.NoError(t, p.EnqueueTurns(c))
	}
	require.NoError(t, p.EnqueueTurns(store.Captured{Session: "s"}))
	require.NoError(t, p.EnqueueTurns(store.Captured{Session: "s", Never: true, Turns: []store.Turn{{UUID: "n", Text: "not for anybody"}}}))
	jobs, err := filepath.Glob(filepath.Join(p.Outbox(), "turns", "1*"))
	require.NoError(t, err)
	require.Greater(t, len(jobs), 20)
	for _, job := range jobs {
		src, err := os.ReadFile(job)
		require.NoError(t, err)
		require.Less(t, len(src), spool.MaxJobBytes)
		require.NotContains(t, string(src), "not for anybody")
		require.NotContains(t, string(src), "t.jsonl")
	}
	server := o.server(t)
	_, kept := write(t, p, server, putting(lesson(1)))
	require.NoError(t, kept, "turns that wait keep nothing else waiting")
	_, err = p.Send(t.Context(), server)
	require.NoError(t, err)
	requireWaiting(t, p, 0)
	o.look(t, func(s *store.Store) {
		st, err := s.Stats(t.Context(), noon)
		require.NoError(t, err)
		require.Equal(t, 201, st.Turns)
		require.Equal(t, 1, st.Sessions)
	})
}
