package remember

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"whence/internal/cli"
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
	Team      []TeamTurn // of colleagues
	Warning   error      // why vectors could not be used
}

func (r SearchResult) count() int { return len(r.Learnings) + len(r.Turns) + len(r.Team) }

// Near reports whether no learning answers, and the nearest are given instead.
func (r SearchResult) Near() bool {
	return slices.ContainsFunc(r.Learnings, func(h store.Hit) bool { return h.Near })
}

// searchTeam asks the server of the repository's team, and waits for it.
func (svc *Service) searchTeam(ctx context.Context, parts Parts, q SearchQuery) (found []TeamTurn, err error) {
	var t *store.Team
	err = exceptNone(svc.Read(ctx, func(s *store.Store) error {
		t, err = s.TeamOf(ctx, svc.Project)
		return err
	}))
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, cli.Usagef("--team: this repository has joined no team: memory-remember team join, with the URL and the name of one, joins it")
	}
	return parts.SearchTeam(ctx, *t, q.Text, max(q.MaxTurns, 1))
}

// maxQueryEmbedTime bounds the wait for the vector of a query.
const maxQueryEmbedTime = 1500 * time.Millisecond

// minSimilarity is required of a learning that is found by its vector alone. In most models,
// unrelated short texts have a similarity of 0.3–0.5.
const minSimilarity = 0.62

// Search returns matching learnings, counts that they were found, and returns matching turns. An
// empty result is not an error, nor is a missing store.
func (svc *Service) Search(ctx context.Context, q SearchQuery) (found SearchResult, err error) {
	query := store.Query{Text: withoutOperators(q.Text), Scope: store.Scope{Project: svc.Project, Everywhere: q.Everywhere}, Category: q.Category, Max: q.Max, Evidence: store.MinEvidence, Typed: true}
	err = svc.Read(ctx, func(s *store.Store) error {
		if found.Learnings, err = s.Search(ctx, query); err != nil {
			return err
		}
		if svc.EmbedQuery != nil {
			found.Learnings, found.Warning = svc.fuse(ctx, s, query, found.Learnings)
		}
		if q.MaxTurns > 0 {
			turns := query
			turns.Max, turns.Project = q.MaxTurns, svc.Turns
			found.Turns, err = s.SearchTurns(ctx, turns)
		}
		return err
	})
	if err != nil {
		return SearchResult{}, exceptNone(err)
	}
	return found, svc.countFound(ctx, query.Scope, found.Learnings)
}

// countFound counts that learnings were found, unless the store cannot be written now.
func (svc *Service) countFound(ctx context.Context, in store.Scope, hits []store.Hit) error {
	ids := make([]string, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	err := svc.change(store.WithMaxWait(ctx, maxCountWait), func(s *store.Store) error { return s.Found(ctx, in, ids, svc.Now()) })
	if store.Unusable(err) {
		return nil
	}
	return err
}

// maxCountWait bounds the wait for other writers: no reply depends on what it counts.
const maxCountWait = 50 * time.Millisecond

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
	byVectors := make([]string, len(near))
	for i, l := range near {
		byVectors[i], hitByID[l.ID] = l.ID, store.Hit{Learning: l}
	}
	byWords := make([]string, len(hits))
	for i, h := range hits {
		byWords[i], hitByID[h.ID] = h.ID, h
	}
	var fused []store.Hit
	for _, id := range rank.Fuse(byWords, byVectors) {
		fused = append(fused, hitByID[id])
	}
	return fused[:min(len(fused), q.Max)], nil
}
