package team

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/store"
)

func shared(description, reasoning string) learning.Learning {
	return learning.Learning{
		ID: learning.ID(description), Name: "name", Description: description, Reasoning: reasoning, Confidence: "low",
		Observations: 1, Created: time.Unix(1, 0), Updated: time.Unix(1, 0),
	}
}

func TestMerge(t *testing.T) {
	first, other, besides := shared("one", "why"), shared("two", "because"), shared("one (edited by ann)", "since")
	live := func(l learning.Learning, origin string) map[string]*row {
		return map[string]*row{l.ID: {learning: &l, exists: true, revision: 9, textRevision: 7, origin: origin}}
	}
	forgotten := map[string]*row{first.ID: {exists: true, revision: 9, textRevision: 7}}
	edit := func(l learning.Learning, revision int64) store.Op {
		return store.Op{Kind: store.OpEdit, Before: first.ID, Revision: revision, Learning: &l}
	}
	later := first
	later.Created, later.Reasoning, later.References = time.Unix(2, 0), "proof", []string{"a.go"}
	for name, c := range map[string]struct {
		rows map[string]*row
		op   store.Op
		want []string // description, reasoning, of learnings
		n    int      // observations of first
	}{
		"add":                             {map[string]*row{}, store.Op{Kind: store.OpAdd, Learning: &first}, []string{"one|why"}, 1},
		"add what another has added":      {live(first, "bea"), store.Op{Kind: store.OpAdd, Learning: &later}, []string{"one|why\nproof"}, 2},
		"add what comes back":             {live(first, "bea"), store.Op{Kind: store.OpAdd, Learning: &first}, []string{"one|why"}, 1},
		"add revives":                     {forgotten, store.Op{Kind: store.OpAdd, Learning: &first}, []string{"one|why"}, 1},
		"reinforce counts":                {live(first, "bea"), store.Op{Kind: store.OpReinforce, Learning: &later}, []string{"one|why"}, 2},
		"reinforce does not revive":       {map[string]*row{first.ID: {exists: true}}, store.Op{Kind: store.OpReinforce, Learning: &first}, nil, 0},
		"reinforce what was never there":  {map[string]*row{}, store.Op{Kind: store.OpReinforce, Learning: &first}, []string{"one|why"}, 1},
		"edit of what was seen":           {live(first, "bea"), edit(shared("one", "since"), 7), []string{"one|since"}, 1},
		"own edit":                        {live(first, "mine"), edit(shared("one", "since"), 0), []string{"one|since"}, 1},
		"edit of what has moved on":       {live(first, "bea"), edit(shared("one", "since"), 6), []string{"one|why", besides.Description + "|since"}, 1},
		"the same edit":                   {live(first, "bea"), edit(first, 6), []string{"one|why"}, 1},
		"another description":             {live(first, "bea"), edit(other, 7), []string{"two|because"}, 0},
		"another one, of what moved on":   {live(first, "bea"), edit(other, 6), []string{"one|why", "two|because"}, 1},
		"edit of what was forgotten":      {map[string]*row{first.ID: {exists: true, textRevision: 9}}, edit(other, 6), []string{"two|because"}, 0},
		"forget what another has written": {live(first, "bea"), store.Op{Kind: store.OpForget, Before: first.ID}, []string{"one|why"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			m := &merge{rows: c.rows, origin: "mine", login: "ann"}
			m.apply(c.op)
			var got []string
			for _, r := range m.rows {
				if r.learning != nil {
					got = append(got, r.learning.Description+"|"+r.learning.Reasoning)
				}
			}
			require.ElementsMatch(t, c.want, got)
			if c.n > 0 {
				require.Equal(t, c.n, m.rows[first.ID].learning.Observations)
			}
		})
	}
	m := &merge{rows: live(first, "bea"), origin: "mine"}
	m.rows[first.ID].mayForget = true
	m.apply(store.Op{Kind: store.OpForget, Before: first.ID})
	require.Nil(t, m.rows[first.ID].learning)
	m = &merge{rows: live(first, "bea"), origin: "mine"}
	m.apply(store.Op{Kind: store.OpAdd, Learning: &later})
	m.apply(edit(shared("one", "since"), 0))
	require.Equal(t, "why\nproof", m.rows[first.ID].learning.Reasoning, "no store has the joined text yet")
}
