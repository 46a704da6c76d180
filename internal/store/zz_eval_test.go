package store_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"whence/internal/learning"
	"whence/internal/store"
)

func lines[T any](t testing.TB, name string) (all []T) {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<26)
	for sc.Scan() {
		var v T
		if err := json.Unmarshal(sc.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

func TestZTurns(t *testing.T) {
	for _, set := range []string{"locomo", "devmem"} {
		type said struct {
			ID, Store, Text, Group, Speaker string
			Session                         any
			Seq                             int
		}
		type sought struct {
			ID, Store, Query string
			Relevant         []string
			Groups           []string `json:"relevant_groups"`
		}
		turns := map[string][]store.Turn{}
		sessionOf := map[string]string{}
		for _, s := range lines[said](t, "../../../shared/eval/"+set+"/memories.jsonl") {
			session := s.Group
			if session == "" {
				session = fmt.Sprint(s.Session)
			}
			sessionOf[s.ID] = session
			turns[s.Store] = append(turns[s.Store], store.Turn{Session: session, UUID: s.ID, Role: s.Speaker, Text: s.Text, At: time.Date(2026, 3, 4, 12, 0, s.Seq, 0, time.UTC)})
		}
		stores := map[string]*store.Store{}
		start := time.Now()
		n := 0
		for name := range turns {
			s, err := store.Open(t.Context(), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			stores[name] = s
			s.Register(t.Context(), store.Transcript{Path: "/x", Session: "s"})
			added, err := s.AddReading(t.Context(), store.Reading{Path: "/x", After: []byte("1"), Turns: turns[name]})
			if err != nil || added == 0 {
				t.Fatal(err, added)
			}
			n += added
		}
		fmt.Println(set, n, "turns added in", time.Since(start))
		var r1, r5, r10, s1, s3, q float64
		start = time.Now()
		var took []time.Duration
		for _, question := range lines[sought](t, "../../../shared/eval/"+set+"/queries.jsonl") {
			b := time.Now()
			hits, err := stores[question.Store].SearchTurns(t.Context(), store.Query{Text: question.Query, Scope: store.Scope{Everywhere: true}, Max: 10})
			took = append(took, time.Since(b))
			if err != nil {
				t.Fatal(err)
			}
			q++
			for i, h := range hits {
				if slices.Contains(question.Relevant, h.UUID) {
					x := 1 / float64(len(question.Relevant))
					r10 += x
					if i < 5 {
						r5 += x
					}
					if i < 1 {
						r1 += x
					}
				}
			}
			sessions, err := stores[question.Store].SearchSessions(t.Context(), store.Query{Text: question.Query, Scope: store.Scope{Everywhere: true}, Max: 10})
			for i, h := range sessions {
				if slices.Contains(question.Groups, h.Session) {
					x := 1 / float64(len(question.Groups))
					if i < 1 {
						s1 += x
					}
					if i < 3 {
						s3 += x
					}
				}
			}
		}
		slices.Sort(took)
		fmt.Printf("%s: n %.0f R@1 %.3f R@5 %.3f R@10 %.3f; sessions @1 %.3f @3 %.3f; median %v p95 %v\n", set, q, r1/q, r5/q, r10/q, s1/q, s3/q, took[len(took)/2], took[len(took)*19/20])
	}
}

func TestZBank(t *testing.T) {
	type rec struct {
		Name, Description, Reasoning, Category, Confidence, Source string
		Keywords                                                   []string
	}
	type asked struct {
		Query    string
		Relevant []string
	}
	var all []learning.Learning
	for _, r := range lines[rec](t, "../test/eval/testdata/bank/learnings.jsonl") {
		all = append(all, learning.Learning{Name: r.Name, Description: r.Description, Reasoning: r.Reasoning, Category: learning.Category(r.Category), Confidence: learning.Confidence(r.Confidence), Source: learning.Source(r.Source), Keywords: r.Keywords})
	}
	s, err := store.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	added, err := s.Import(context.Background(), all, time.Now(), false)
	fmt.Println(len(added), err)
	var first, five, five2, n float64
	for _, q := range lines[asked](t, "../test/eval/testdata/bank/queries.jsonl") {
		n++
		hits, err := s.Search(t.Context(), store.Query{Text: q.Query, Scope: store.Scope{Everywhere: true}, Max: 10, Evidence: store.MinEvidence, Typed: true})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(hits, func(h store.Hit) bool { return slices.Contains(q.Relevant, h.Name) })
		if i == 0 {
			first++
		}
		if i >= 0 && i < 5 {
			five++
		}
		hits, _ = s.Search(t.Context(), store.Query{Text: q.Query, Scope: store.Scope{Everywhere: true}, Max: 100})
		i = slices.IndexFunc(hits, func(h store.Hit) bool { return slices.Contains(q.Relevant, h.Name) })
		if i >= 0 && i < 5 {
			five2++
		}
	}
	noise, m := 0.0, 0.0
	for _, q := range lines[asked](t, "../test/eval/testdata/bank/off-topic.jsonl") {
		m++
		hits, _ := s.Search(t.Context(), store.Query{Text: q.Query, Scope: store.Scope{Everywhere: true}, Max: 5, Evidence: store.MinEvidence, Typed: true})
		if len(hits) > 0 {
			noise++
		}
	}
	fmt.Printf("bank: first %.3f five %.3f ranked five %.3f; noise %.3f\n", first/n, five/n, five2/n, noise/m)
}
