package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
)

func TestEveryPolicy(t *testing.T) {
	ctx := context.Background()
	const captures = 7
	budgets := []int{-1, 0, 1, 5}
	for _, mode := range []store.Mode{store.AskFirst, store.Silent, store.Off, "unheard of"} {
		for approval, name := range map[store.Approval]string{store.Unasked: "unasked", store.Approved: "approved", store.Rejected: "rejected"} {
			for _, budget := range budgets {
				t.Run(fmt.Sprint(mode, " ", name, " ", budget), func(t *testing.T) {
					s := open(t, t.TempDir())
					stored, captured := 0, 0
					for i := range captures {
						decision, out, err := s.Capture(ctx, learned(distinct(0, i)), store.Observation{Session: "s"}, store.Policy{Mode: mode, Budget: budget}, approval)
						require.NoError(t, err)
						want := store.Proposed
						switch {
						case approval == store.Approved:
							want = store.Stored
						case approval == store.Rejected:
							want = store.Discarded
						case mode == store.Off:
							want = store.SwitchedOff
						case mode == store.Silent && captured < budget:
							want = store.Silently
							captured++
						case mode == store.Silent:
							want = store.OverBudget
						}
						require.Equal(t, want, decision)
						if want == store.Stored || want == store.Silently {
							stored++
							require.Equal(t, learning.ID(distinct(0, i)), out.ID)
						} else {
							require.Zero(t, out)
						}
					}
					all, err := s.List(ctx, store.Query{})
					require.NoError(t, err)
					require.Len(t, all, stored)
					n, err := s.SilentCaptures(ctx, "s")
					require.NoError(t, err)
					require.Equal(t, captured, n)
					n, err = s.SilentCaptures(ctx, "another")
					require.NoError(t, err)
					require.Zero(t, n)
				})
			}
		}
	}
}

// captureSilently tries to capture 10 learnings in a session that others share.
func captureSilently(dir string, args []string) error {
	s, err := store.Open(context.Background(), dir)
	if err != nil {
		return err
	}
	for i := range 10 {
		if _, _, err := s.Capture(context.Background(), learned(distinct(number(args[0]), i)), store.Observation{Session: "shared"},
			store.Policy{Mode: store.Silent, Budget: number(args[1])}, store.Unasked); err != nil {
			return err
		}
	}
	return s.Close()
}

func TestProcessesOfASessionShareItsBudget(t *testing.T) {
	for _, budget := range []int{0, 1, 5} {
		dir := t.TempDir()
		run(t, 2, "capture", dir, fmt.Sprint(budget))
		requireCounts(t, dir, map[string]int{
			`SELECT count(*) FROM entries`:                           budget,
			`SELECT coalesce(sum(silent_captures), 0) FROM sessions`: budget,
		})
	}
}

func TestACaptureThatFailsDoesNotCount(t *testing.T) {
	ctx := context.Background()
	s := open(t, t.TempDir())
	policy := store.Policy{Mode: store.Silent, Budget: 1}
	for _, spoil := range []func(*learning.Learning){
		func(l *learning.Learning) { l.Category = "constitution" },
		func(l *learning.Learning) { l.Confidence = "" },
		func(l *learning.Learning) { l.Name = " \x00 " },
	} {
		bad := learned(said)
		spoil(&bad)
		decision, out, err := s.Capture(ctx, bad, store.Observation{Session: "s"}, policy, store.Unasked)
		require.Error(t, err)
		require.Zero(t, decision)
		require.Zero(t, out)
	}
	n, err := s.SilentCaptures(ctx, "s")
	require.NoError(t, err)
	require.Zero(t, n)
	decision, _, err := s.Capture(ctx, learned(said), store.Observation{Session: "s"}, policy, store.Unasked)
	require.NoError(t, err)
	require.Equal(t, store.Silently, decision)
}

func TestRejectedInsights(t *testing.T) {
	ctx := context.Background()
	s := open(t, t.TempDir())
	const text, other = "always close the response body of a request", "never close the response body of a request"
	capture := func(text, session string, approval store.Approval) store.Decision {
		t.Helper()
		decision, _, err := s.Capture(ctx, learned(text), store.Observation{Session: session}, store.Policy{Mode: store.Silent, Budget: 9}, approval)
		require.NoError(t, err)
		return decision
	}
	require.Equal(t, store.Discarded, capture(text, "s", store.Rejected))
	require.Equal(t, store.RejectedBefore, capture(text, "s", store.Unasked))
	require.Equal(t, store.RejectedBefore, capture("  ALWAYS close the response body of a request.\x00", "s", store.Unasked))
	require.Equal(t, store.Silently, capture(other, "s", store.Unasked))
	require.Equal(t, store.Silently, capture(text, "another", store.Unasked))
	require.Equal(t, store.Discarded, capture(text, "s", store.Rejected))
	require.Equal(t, store.Stored, capture(text, "s", store.Approved), "the user thinks better of it")
	require.Equal(t, store.Silently, capture(text, "s", store.Unasked))
	n, err := s.SilentCaptures(ctx, "s")
	require.NoError(t, err)
	require.Equal(t, 2, n)
}

func TestPutRefuses(t *testing.T) {
	s := open(t, t.TempDir())
	for field, spoil := range map[string]func(*learning.Learning){
		"name":        func(l *learning.Learning) { l.Name = "\x1b[31m" },
		"description": func(l *learning.Learning) { l.Description = "\n" },
		"category":    func(l *learning.Learning) { l.Category = "pattern" },
		"confidence":  func(l *learning.Learning) { l.Confidence = "sure" },
		"source":      func(l *learning.Learning) { l.Source = "hook" },
	} {
		l := learned(said)
		spoil(&l)
		_, err := s.Put(context.Background(), l, store.Observation{})
		var failure *learning.FieldError
		require.True(t, errors.As(err, &failure), "%v", err)
		require.Equal(t, field, failure.Field)
		_, err = s.Import(context.Background(), []learning.Learning{learned("this one is fine, and is not kept"), l}, noon)
		require.True(t, errors.As(err, &failure), "%v", err)
	}
	kept, err := s.List(context.Background(), store.Query{Scope: all})
	require.NoError(t, err)
	require.Empty(t, kept)
}

// Invalid bytes are removed.
func TestTextsAreCleaned(t *testing.T) {
	ctx := context.Background()
	s := open(t, t.TempDir())
	l := learned(said)
	l.Name, l.Description, l.Reasoning = "\x1b[1mclose it\x1b[0m\x00", "always\x00 close \xff the response\rbody of a request ", "\x01it leaks\x07"
	l.Keywords, l.References = []string{"body\x00", "\x00"}, []string{"a.go\n"}
	out, err := s.Put(ctx, l, store.Observation{Session: "s\x00"})
	require.NoError(t, err)
	require.Equal(t, "close it", out.Name)
	require.Equal(t, "always close � the response\nbody of a request", out.Description)
	require.Equal(t, learning.ID(out.Description), out.ID)
	require.Equal(t, "it leaks", out.Reasoning)
	require.Equal(t, []string{"body"}, out.Keywords)
	require.Equal(t, []string{"a.go"}, out.References)
	d, err := s.Get(ctx, all, out.ID)
	require.NoError(t, err)
	require.Equal(t, out.Learning, d, "Put returns what it stores")

	turns := []store.Turn{{Session: "s\x00", UUID: "u\xff", Role: "user\n", Text: "\x1b[31mred\x1b[0m \x00alert", Kind: "\x07prompt", Change: "one, [two]"}}
	require.Equal(t, 1, read(t, s, turns...))
	require.Zero(t, read(t, s, turns...))
	hits, err := s.SearchSessions(ctx, store.Query{Text: "alert"})
	require.NoError(t, err)
	require.Len(t, hits, 1)
	best, err := s.Turn(ctx, hits[0].Best)
	require.NoError(t, err)
	best.At = noon
	require.Equal(t, store.Turn{Session: "s", UUID: "u�", Role: "user", Kind: "prompt", Text: "red alert", Change: "one-two", At: noon,
		Number: 1, Total: 1, Tags: []string{"raw", "phase:auto-extract", "source:hook", "change:one-two"}}, best)
}
