package remember

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"whence/internal/learning"
	"whence/internal/rank"
	"whence/internal/store"
)

// SearchQuery selects learnings and turns.
type SearchQuery struct {
	Text       string
	Category   learning.Category // "": all
	Max        int               // learnings
	Everywhere bool              // search the learnings of all repositories
	MaxTurns   int
}

// SearchResult holds the matches of a search, best first.
type SearchResult struct {
	Learnings []store.Hit
	Turns     []store.TurnHit
	Warning   error // why vectors could not be used
}

// maxQueryEmbedTime bounds the wait for the vector of a query.
const maxQueryEmbedTime = 1500 * time.Millisecond

// minSimilarity is required of a learning that is found by its vector alone. In most models,
// unrelated short texts have a similarity of 0.3–0.5.
const minSimilarity = 0.62

// Search returns matching learnings, counts that they were found, and returns matching turns. An
// empty result is not an error, nor is a missing store.
func (svc *Service) Search(ctx context.Context, q SearchQuery) (found SearchResult, err error) {
	query := store.Query{Text: withoutOperators(q.Text), Project: svc.Project, Everywhere: q.Everywhere, Category: q.Category, Most: q.Max, Evidence: store.MinEvidence, Typed: true}
	err = svc.readAndCount(ctx, func(ctx context.Context, s *store.Store) (shown shownIDs, err error) {
		found = SearchResult{}
		if found.Learnings, err = s.Search(ctx, query); err != nil {
			return shown, err
		}
		if svc.EmbedQuery != nil {
			found.Learnings, found.Warning = svc.fuse(ctx, s, query, found.Learnings)
		}
		if q.MaxTurns > 0 {
			turns := query
			turns.Most, turns.Project = q.MaxTurns, svc.Turns
			found.Turns, err = s.SearchTurns(ctx, turns)
		}
		for _, h := range found.Learnings {
			shown.found = append(shown.found, h.ID)
		}
		return shown, err
	})
	if err != nil {
		return SearchResult{}, exceptNone(err)
	}
	return found, nil
}

// withoutOperators removes AND, OR and NOT, which other searches interpret. A text in capitals, such
// as some error messages, does not change.
func withoutOperators(text string) string {
	if !strings.ContainsFunc(text, unicode.IsLower) {
		return text
	}
	words := strings.Fields(text)
	kept := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "AND" || word == "OR" || word == "NOT" })
	if len(kept) == 0 || len(kept) == len(words) {
		return text
	}
	return strings.Join(kept, " ")
}

// shownIDs are the ids of learnings that were shown and are to be counted.
type shownIDs struct {
	recalled, found []string
}

// readAndCount runs a function on the store, maybe twice, and counts the learnings that it returned,
// unless the store is not writable.
func (svc *Service) readAndCount(ctx context.Context, read func(context.Context, *store.Store) (shownIDs, error)) error {
	stale, err := svc.Scope.ReadAndCount(ctx, svc.Server, func(ctx context.Context, s *store.Store) (*store.Operation, error) {
		shown, err := read(ctx, s)
		if err != nil || len(shown.recalled)+len(shown.found) == 0 {
			return nil, err
		}
		op := svc.stamp(store.Operation{Kind: store.OpCounts, Recalled: shown.recalled, Found: shown.found})
		return &op, nil
	})
	svc.warnStale(ctx, stale)
	return err
}

// fuse merges the hits by words with the nearest learnings by vector.
func (svc *Service) fuse(ctx context.Context, s *store.Store, q store.Query, hits []store.Hit) ([]store.Hit, error) {
	limited, cancel := context.WithTimeout(ctx, maxQueryEmbedTime)
	defer cancel()
	model, vector, err := svc.EmbedQuery(limited, q.Text)
	if err != nil {
		return hits, err
	}
	q.Evidence = minSimilarity
	near, err := s.Nearest(ctx, model, vector, q)
	if err != nil {
		return hits, err
	}
	hitByID := map[string]store.Hit{}
	byWords := make([]string, len(hits))
	for i, h := range hits {
		byWords[i], hitByID[h.ID] = h.ID, h
	}
	ids := rank.Fuse(byWords, near)
	var fused []store.Hit
	for _, id := range ids[:min(len(ids), q.Most)] {
		h, found := hitByID[id]
		if !found {
			d, err := s.Get(ctx, store.Scope{Project: q.Project, Everything: q.Everywhere}, id)
			if err != nil {
				return hits, err
			}
			h = store.Hit{Learning: d.Learning}
		}
		fused = append(fused, h)
	}
	return fused, nil
}
