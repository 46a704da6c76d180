package eval_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

// Captured conversation is measured on two public sets, one of sessions with a coding
// assistant, and one of long chats.

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

// recalled adds up the shares of relevant turns among the first.
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

// at is the mean share among the first.
func (r *recalled) at(most int) float64 {
	return map[int]float64{1: r.one, 3: r.three, 5: r.five, 10: r.ten}[most] / r.n
}

const recalledHead = "                                 n     R@1     R@3     R@5    R@10     MRR"

func (r *recalled) row(name string) string {
	return fmt.Sprintf("%-28s %5.0f   %5.3f   %5.3f   %5.3f   %5.3f   %5.3f", name, r.n, r.one/r.n, r.three/r.n, r.five/r.n, r.ten/r.n, r.reciprocal/r.n)
}

// evalSessions asks for the session in which something was said.
func evalSessions(t *testing.T) []figure {
	s := newSet(t, "devmem")
	sessions := s.sessions()
	return s.measure(t, "sessions", []int{1, 3}, []float64{0, 0.88}, func(q sought) []string { return q.Groups }, func(q sought) (ids []string) {
		hits, err := s.stores[q.Store].SearchSessions(t.Context(), store.Query{Text: q.Query, Scope: store.Scope{Everywhere: true}, Max: 10})
		require.NoError(t, err)
		for _, h := range hits {
			ids = append(ids, h.ID)
		}
		return ids
	}, sessions)
}

// evalChats asks for the session of a long chat in which something was said, as a search prints them.
func evalChats(t *testing.T) []figure {
	if !repotest.Long() {
		t.Skip("takes long: make eval runs it")
	}
	s := newSet(t, "locomo")
	sessions := s.sessions()
	return s.measure(t, "chats", []int{1, 5}, []float64{0, 0}, func(q sought) []string { return sessions(q.Relevant) }, func(q sought) (ids []string) {
		hits, err := s.stores[q.Store].SearchSessions(t.Context(), store.Query{Text: q.Query, Scope: store.Scope{Everywhere: true}, Max: 5})
		require.NoError(t, err)
		for _, h := range hits {
			ids = append(ids, h.ID)
		}
		return ids
	}, sessions)
}

func (s set) questions(t testing.TB) []sought {
	return repotest.JSONLines[sought](t, repotest.Shared(t, "eval/"+s.name+"/queries.jsonl"))
}

// set is a public set of conversations, each in a store of its own.
type set struct {
	name   string
	said   []said
	stores map[string]*store.Store
}

func newSet(t testing.TB, name string) set {
	all := repotest.JSONLines[said](t, repotest.Shared(t, "eval/"+name+"/memories.jsonl"))
	return set{name, all, turnStores(t, all)}
}

// session returns the name of the session in which a turn was said.
func (s said) session() string { return cmp.Or(s.Group, fmt.Sprint(s.Session)) }

// sessions returns a function that names the sessions of turns, each once.
func (s set) sessions() func(turns []string) (ids []string) {
	sessionOf := map[string]string{}
	for _, turn := range s.said {
		sessionOf[turn.ID] = turn.session()
	}
	return func(turns []string) (ids []string) {
		for _, turn := range turns {
			if id := sessionOf[turn]; !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		return ids
	}
}

// measure asks all questions of a set. judged makes of ranked turns what is relevant.
func (s set) measure(t *testing.T, name string, at []int, aims []float64, relevant, ask func(sought) []string, judged func([]string) []string) (figures []figure) {
	ids, texts := map[string][]string{}, map[string][]string{} // by store
	for _, turn := range s.said {
		ids[turn.Store] = append(ids[turn.Store], turn.ID)
		texts[turn.Store] = append(texts[turn.Store], turn.Text)
	}
	search := map[string]fullText{}
	for name := range texts {
		search[name] = newFullText(t, texts[name])
	}
	named := func(q sought, order []int) (names []string) {
		for _, i := range order {
			names = append(names, ids[q.Store][i])
		}
		return judged(names)
	}
	var ours, byFullText recalled
	kinds := map[string]*recalled{}
	var took []time.Duration
	for _, q := range s.questions(t) {
		if kinds[q.Category] == nil {
			kinds[q.Category] = &recalled{}
		}
		start := time.Now()
		ranked := ask(q)
		took = append(took, time.Since(start))
		ours.add(ranked, relevant(q))
		kinds[q.Category].add(ranked, relevant(q))
		byFullText.add(named(q, search[q.Store].rank(t, q.Query, 10)), relevant(q))
	}
	fmt.Fprintf(t.Output(), "%s\n%s\n", recalledHead, ours.row(s.name))
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintln(t.Output(), kinds[kind].row("  "+kind))
	}
	slices.Sort(took)
	fmt.Fprintf(t.Output(), "%v a question, 1 of 20 longer than %v\n", took[len(took)/2].Round(10*time.Microsecond), took[len(took)*19/20].Round(10*time.Microsecond))
	for i, most := range at {
		figures = append(figures, figure{
			Evaluation: name, Measure: fmt.Sprintf("of what answers, among the first %d", most), Questions: int(ours.n), Aim: aims[i],
			Value: ours.at(most), FullText: byFullText.at(most),
		})
	}
	return figures
}

// turnStores has the conversations of a set, each in a store of its own.
func turnStores(t testing.TB, all []said) map[string]*store.Store {
	turns := map[string][]store.Turn{}
	for _, s := range all {
		turns[s.Store] = append(turns[s.Store], store.Turn{
			Session: s.session(), UUID: s.ID, Role: s.Speaker, Text: s.Text,
			At: time.Date(2026, 3, 4, 12, 0, s.Seq, 0, time.UTC),
		})
	}
	stores := map[string]*store.Store{}
	for name := range turns {
		s, err := store.Open(t.Context(), t.TempDir())
		require.NoError(t, err)
		t.Cleanup(func() { s.Close() })
		_, err = storetest.AddTurns(t.Context(), s, store.Transcript{Path: name}, turns[name]...)
		require.NoError(t, err)
		stores[name] = s
	}
	return stores
}
