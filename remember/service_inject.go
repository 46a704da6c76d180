package remember

import (
	"context"
	"errors"
	"time"

	"whence/internal/learning"
	"whence/internal/store"
)

// Injection says how much of what was learned is put before an agent when a session
// begins.
type Injection struct {
	Most  int // learnings
	Bytes int // of the text
}

// Injected is what was put before an agent, as it is kept for who wants to know why.
type Injected struct {
	Timestamp time.Time      `json:"timestamp"`
	Mode      string         `json:"mode"` // "words" where something was asked for, else "prominence"
	Entries   int            `json:"entries_injected"`
	Total     int            `json:"total_entries"`
	Model     string         `json:"model"`
	Retrieval InjectionFound `json:"retrieval"`
	IDs       []string       `json:"ids"`
}

// InjectionFound is what was found before the selection.
type InjectionFound struct {
	Vector  int    `json:"vector_candidates"`
	Words   int    `json:"fts5_candidates"`
	Context string `json:"context_query"`
}

// injectionCandidates is how many learnings by words, and how many by prominence, are
// ranked.
const injectionCandidates = 60

// Inject selects what is put before an agent: learnings that speak of the topic, which may
// be empty and is asked for only if there is a store, and prominent ones, with the quota for session captures and the budget of
// internal/learning. It counts them as recalled, and returns their ids. Nothing to say is "".
func (b *Service) Inject(ctx context.Context, topicOf func() string, budget Injection) (text string, ids []string, err error) {
	var selected []learning.Candidate
	var total int
	err = b.readAndCount(ctx, func(ctx context.Context, s *store.Store) (shown seen, err error) {
		topic := topicOf()
		candidates, words, err := b.candidates(ctx, s, topic)
		if err != nil {
			return shown, err
		}
		most, err := s.MaxObservations(ctx)
		if err != nil {
			return shown, err
		}
		if total, err = s.Count(ctx, store.Filter{Project: b.Project}); err != nil {
			return shown, err
		}
		selected = learning.Select(learning.Rank(candidates, most, b.Now()), learning.Budget{Count: budget.Most, Bytes: budget.Bytes, Total: total})
		ids = nil
		for _, c := range selected {
			ids = append(ids, c.ID)
		}
		return seen{Recalled: ids, Note: b.injected(ids, total, topic, words)}, nil
	})
	if errors.Is(err, store.ErrNone) || err == nil && len(selected) == 0 {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	return learning.Render(selected, total), ids, nil
}

// candidates are the learnings that may be shown: words is how many speak of the topic.
func (b *Service) candidates(ctx context.Context, s *store.Store, topic string) (all []learning.Candidate, words int, err error) {
	seen := map[string]bool{}
	hits, err := s.Search(ctx, store.Query{Text: topic, Project: b.Project, Most: injectionCandidates, Evidence: store.LeastEvidence / 2})
	if err != nil {
		return nil, 0, err
	}
	for _, h := range hits {
		seen[h.ID] = true
		all = append(all, learning.Candidate{Learning: h.Learning, Score: h.Evidence})
	}
	prominent, err := s.Prominent(ctx, b.Project, injectionCandidates)
	if err != nil {
		return nil, 0, err
	}
	for _, l := range prominent {
		if !seen[l.ID] {
			all = append(all, learning.Candidate{Learning: l})
		}
	}
	return all, len(hits), nil
}

// injected is what is noted of what is shown: words is how many learnings speak of the topic.
func (b *Service) injected(ids []string, total int, topic string, words int) *Injected {
	record := Injected{
		Timestamp: b.Now().UTC(), Mode: "prominence", Entries: len(ids), Total: total, Model: "none", IDs: ids,
		Retrieval: InjectionFound{Words: words, Context: topic},
	}
	if words > 0 {
		record.Mode = "words"
	}
	return &record
}

// lastInjection is under what key the last Injected is kept.
const lastInjection = "last_injection"

// LastInjected is what was put before an agent last; ok is false if nothing was yet.
func LastInjected(ctx context.Context, s *store.Store) (last Injected, ok bool, err error) {
	ok, err = s.Noted(ctx, lastInjection, &last)
	return last, ok, err
}
