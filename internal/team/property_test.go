package team

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
	"whence/internal/test/pgtest"
)

// busy is a member who works at random. What a member does is kept, to compare it with the end.
type busy struct {
	*member
	random  *rand.Rand
	network *pgtest.Proxy
	ops     int
	tokens  []string // texts that must not get lost
	counted map[string]int
}

// Subjects are four kinds of learnings: those that are only added and reinforced, whose count must be
// right; those whose reasoning is edited; those whose description is edited; those that are forgotten.
const subjects = 4

func (b *busy) step(n, step int) {
	b.now = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC).Add(time.Duration(step*64+n) * time.Second) // never twice
	kind := []string{"counted", "reasoned", "described", "forgotten"}[b.random.IntN(subjects)]
	name := fmt.Sprintf("%s %d", kind, b.random.IntN(subjects))
	token := fmt.Sprintf("token%dx%dx", n, step)
	all, err := b.List(b.t.Context(), store.Query{Scope: everything})
	require.NoError(b.t, err)
	var known []learning.Learning
	for _, l := range all {
		if l.Name == name {
			known = append(known, l)
		}
	}
	b.ops++
	if len(known) == 0 || kind == "counted" {
		if kind == "counted" {
			b.counted[name]++
		}
		reasoning := "It is " + name + "."
		if kind == "reasoned" {
			b.tokens = append(b.tokens, token)
			reasoning = token
		}
		_, err := b.Put(b.t.Context(), learning.Learning{
			Name: name, Description: "Someone who sails has learned what is " + name, Reasoning: reasoning,
			Category: learning.Heuristics, Source: learning.Manual, Confidence: learning.Low, Project: project,
		}, store.Observation{At: b.now, Session: token})
		require.NoError(b.t, err)
		return
	}
	l := known[b.random.IntN(len(known))]
	switch {
	case kind == "forgotten" && b.random.IntN(2) == 0:
		_, err := b.Forget(b.t.Context(), everything, l.ID)
		require.NoError(b.t, err)
	case kind == "forgotten" || b.random.IntN(3) == 0:
		_, err := b.Put(b.t.Context(), l, store.Observation{At: b.now, Session: token})
		require.NoError(b.t, err)
	case kind == "reasoned":
		b.tokens = append(b.tokens, token)
		b.edit(l.ID, func(l *learning.Learning) { l.Reasoning += " " + token })
	case kind == "described":
		b.tokens = append(b.tokens, token)
		b.edit(l.ID, func(l *learning.Learning) { l.Description += " " + token })
	}
}

// syncKilled exchanges, and often ends somewhere in between: before or after the server has committed.
func (b *busy) syncKilled() {
	ctx, cancel := context.WithCancel(b.t.Context())
	defer cancel()
	if b.random.IntN(2) == 0 {
		timer := time.AfterFunc(time.Duration(b.random.IntN(60))*time.Millisecond, cancel)
		defer timer.Stop()
	}
	if b.random.IntN(4) == 0 {
		timer := time.AfterFunc(time.Duration(b.random.IntN(40))*time.Millisecond, b.network.Cut)
		defer timer.Stop()
	}
	if err := Sync(ctx, b.Store, b.now); ctx.Err() == nil {
		require.NoError(b.t, err)
	}
}

// All stores hold the same learnings at the end, each operation was applied once, and no text is lost,
// with members who are offline for a while, and exchanges that end anywhere.
func TestStoresConverge(t *testing.T) {
	members, steps := 5, 60
	if os.Getenv("WHENCE_LONG") != "" {
		members, steps = 16, 500
	}
	o := newOffice(t)
	all := make([]*busy, members)
	for i := range all {
		network := pgtest.NewProxy(t, o.Address())
		all[i] = &busy{
			member: o.member(t, network.Address()), network: network, counted: map[string]int{},
			random: rand.New(rand.NewPCG(7, uint64(i))),
		}
	}
	var working sync.WaitGroup
	for i, b := range all {
		working.Go(func() {
			for step := range steps {
				b.step(i, step)
				isOffline := i < 2 && step > steps/4 && step < steps*3/4
				if !isOffline && b.random.IntN(6) == 0 {
					b.syncKilled()
				}
			}
		})
	}
	working.Wait()
	for range 2 { // the second time, all have what all have pushed
		for _, b := range all {
			for tries := 0; ; tries++ {
				require.Less(t, tries, 3)
				if fault := b.sync(); fault == "" {
					break
				} else {
					require.Contains(t, fault, "was not forgotten")
				}
			}
		}
	}

	ops, counted := 0, map[string]int{}
	want := all[0].learnings()
	text := strings.Join(want, "\n")
	for i, b := range all {
		team, err := b.TeamOf(t.Context(), project)
		require.NoError(t, err)
		require.Zero(t, team.Waiting)
		require.Equal(t, want, b.learnings(), "member %d", i)
		for _, token := range b.tokens {
			require.True(t, strings.Contains(text, token), "%s of member %d is lost", token, i)
		}
		ops += b.ops
		for name, n := range b.counted {
			counted[name] += n
		}
	}
	for name, n := range counted {
		require.Contains(t, text, fmt.Sprintf("%s %d Someone", name, n))
	}
	db := o.db.Open(t, pgtest.Superuser)
	var applied, live int
	require.NoError(t, db.QueryRow(`SELECT count(*) FROM whence.applied`).Scan(&applied))
	require.NoError(t, db.QueryRow(`SELECT count(*) FROM whence.learnings WHERE learning IS NOT NULL`).Scan(&live))
	require.Equal(t, ops, applied)
	require.Equal(t, len(want), live)
	t.Logf("%d members, %d operations, %d learnings", members, ops, live)
}
