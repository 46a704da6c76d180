package remember_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/repotest"
	"whence/internal/store"
)

// Captured conversation is measured on two public sets, one of sessions with a coding
// assistant, judged by session, and one of long chats, judged by turn.

// said is a turn of a set; group is the session, where answers are judged by it.
type said struct {
	ID, Store, Text, Group, Speaker string
	Session                         any
	Seq                             int
}

// sought is a question to a set.
type sought struct {
	ID, Store, Query string
	Relevant         []string
	Groups           []string `json:"relevant_groups"`
	Category         string   `json:"category_name"`
}

// recalled adds up which share of what is relevant stood among the first.
type recalled struct{ n, one, three, five, ten, reciprocal float64 }

func (r *recalled) add(ranked, relevant []string) {
	r.n++
	for most, sum := range map[int]*float64{1: &r.one, 3: &r.three, 5: &r.five, 10: &r.ten} {
		for _, id := range ranked[:min(most, len(ranked))] {
			if slices.Contains(relevant, id) {
				*sum += 1 / float64(len(relevant))
			}
		}
	}
	if first := slices.IndexFunc(ranked, func(id string) bool { return slices.Contains(relevant, id) }); first >= 0 {
		r.reciprocal += 1 / float64(first+1)
	}
}

const recalledHead = "                                 n     R@1     R@3     R@5    R@10     MRR"

func (r *recalled) row(name string) string {
	return fmt.Sprintf("%-28s %5.0f   %5.3f   %5.3f   %5.3f   %5.3f   %5.3f", name, r.n, r.one/r.n, r.three/r.n, r.five/r.n, r.ten/r.n, r.reciprocal/r.n)
}

func TestEvalSessions(t *testing.T) {
	if testing.Short() {
		t.Skip("an evaluation takes a while")
	}
	stores := turnStores(t, "devmem")
	all := measureTurns(t, "devmem", func(q sought) (ranked, relevant []string) {
		hits, err := stores[q.Store].SearchSessions(t.Context(), store.Query{Text: q.Query, Everywhere: true, Most: 10})
		require.NoError(t, err)
		for _, h := range hits {
			ranked = append(ranked, h.Session)
		}
		return ranked, q.Groups
	})
	require.GreaterOrEqual(t, all.one/all.n, 0.72)
	require.GreaterOrEqual(t, all.three/all.n, 0.86)
}

func TestEvalTurns(t *testing.T) {
	if testing.Short() {
		t.Skip("an evaluation takes a while")
	}
	stores := turnStores(t, "locomo")
	all := measureTurns(t, "locomo", func(q sought) (ranked, relevant []string) {
		hits, err := stores[q.Store].SearchTurns(t.Context(), store.Query{Text: q.Query, Everywhere: true, Most: 50})
		require.NoError(t, err)
		for _, h := range hits {
			ranked = append(ranked, h.UUID)
		}
		return ranked, q.Relevant
	})
	require.GreaterOrEqual(t, all.five/all.n, 0.60)
	require.GreaterOrEqual(t, all.ten/all.n, 0.68)
}

func measureTurns(t *testing.T, set string, ask func(sought) (ranked, relevant []string)) (all recalled) {
	kinds := map[string]*recalled{}
	for _, q := range readJSON[sought](t, repotest.Shared(t, "eval/"+set+"/queries.jsonl")) {
		if kinds[q.Category] == nil {
			kinds[q.Category] = &recalled{}
		}
		ranked, relevant := ask(q)
		all.add(ranked, relevant)
		kinds[q.Category].add(ranked, relevant)
	}
	t.Log("\n" + recalledHead + "\n" + all.row(set))
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		t.Log(kinds[kind].row("  " + kind))
	}
	return all
}

// turnStores has the conversations of a set, each in a store of its own.
func turnStores(t *testing.T, set string) map[string]*store.Store {
	turns := map[string][]store.Turn{}
	for _, s := range readJSON[said](t, repotest.Shared(t, "eval/"+set+"/memories.jsonl")) {
		session := s.Group
		if session == "" {
			session = fmt.Sprint(s.Session)
		}
		turns[s.Store] = append(turns[s.Store], store.Turn{
			Session: session, UUID: s.ID, Role: s.Speaker, Text: s.Text,
			At: time.Date(2026, 3, 4, 12, 0, s.Seq, 0, time.UTC),
		})
	}
	stores := map[string]*store.Store{}
	for name := range turns {
		s, err := store.Open(t.Context(), t.TempDir())
		require.NoError(t, err)
		t.Cleanup(func() { s.Close() })
		_, err = s.AddCaptured(t.Context(), store.Captured{Turns: turns[name]})
		require.NoError(t, err)
		stores[name] = s
	}
	return stores
}
