package remember

import (
	"context"

	"whence/internal/learning"
	"whence/internal/parallel"
	"whence/internal/store"
)

// maxInjectionCandidates bounds the learnings to rank by words, and those by prominence.
const maxInjectionCandidates = 60

// Inject returns the text of learnings that match a topic, and of prominent ones, within a budget
// and the quota for session captures (internal/learning), and their ids, which the caller counts as
// recalled. The topic may be empty; it is requested, in a goroutine, only if there is a store. The
// text is empty if there is nothing to inject.
func (svc *Service) Inject(ctx context.Context, topic func() string, budget learning.Budget) (text string, ids []string, err error) {
	if !store.Exists(svc.Dir) {
		return "", nil, nil
	}
	topic = parallel.Start(topic) // git takes as long as opening the store and reading what is prominent
	defer topic()
	var selected []learning.Candidate
	err = svc.Read(ctx, func(s *store.Store) error {
		prominent, err := s.Prominent(ctx, svc.scope(), maxInjectionCandidates)
		if err != nil {
			return err
		}
		maxObservations, err := s.MaxObservations(ctx)
		if err != nil {
			return err
		}
		if budget.Total, err = s.Count(ctx, store.Filter{Scope: svc.scope(), Max: learning.MaxTotal + 1}); err != nil {
			return err
		}
		candidates, err := svc.injectionCandidates(ctx, s, topic(), prominent)
		if err != nil {
			return err
		}
		selected = learning.Select(learning.Rank(candidates, maxObservations, svc.Now()), budget)
		for _, c := range selected {
			ids = append(ids, c.ID)
		}
		return nil
	})
	if err != nil || len(selected) == 0 {
		return "", nil, exceptNone(err)
	}
	return learning.Render(selected, budget.Total), ids, nil
}

// injectionCandidates returns the learnings that match the topic, and after them the prominent ones.
func (svc *Service) injectionCandidates(ctx context.Context, s *store.Store, topic string, prominent []learning.Learning) (all []learning.Candidate, err error) {
	hits, err := s.Search(ctx, store.Query{Text: topic, Scope: svc.scope(), Max: maxInjectionCandidates, Evidence: store.MinEvidence / 2})
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, h := range hits {
		seen[h.ID] = true
		all = append(all, learning.Candidate{Learning: h.Learning, Score: h.Evidence})
	}
	for _, l := range prominent {
		if !seen[l.ID] {
			all = append(all, learning.Candidate{Learning: l})
		}
	}
	return all, nil
}
