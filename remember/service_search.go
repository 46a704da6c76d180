package remember

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"whence/internal/learning"
	"whence/internal/rank"
	"whence/internal/store"
)

// Question is what to search for.
type Question struct {
	Text       string
	Category   learning.Category // "": all
	Most       int
	Everywhere bool // the learnings of all repositories
	Retired    bool // those that no longer apply too

	Turns   int      // captured turns to return; 0: none
	Without []string // tags: a turn with any of them does not count
}

// Found is what a search has found, best first.
type Found struct {
	Learnings []store.Hit
	Turns     []store.TurnHit
	Warning   error // vectors were to be used and could not be
}

// queryEmbedTime is how long a search waits for the vector of its question.
const queryEmbedTime = 1500 * time.Millisecond

// leastSimilarity is what a learning needs to be found by its vector alone. Short texts
// that have nothing to do with each other come to 0.3–0.5 in most models.
const leastSimilarity = 0.62

// Search finds learnings, and counts that they were found; and captured turns. Nothing
// found, or nothing stored yet, is no error.
func (b *Service) Search(ctx context.Context, q Question) (found Found, err error) {
	query := store.Query{Text: withoutOperators(q.Text), Project: b.Project, Everywhere: q.Everywhere, Category: q.Category, Retired: q.Retired, Most: q.Most, Evidence: store.LeastEvidence, Typed: true}
	err = b.readAndCount(ctx, func(ctx context.Context, s *store.Store) (shown seen, err error) {
		found = Found{}
		if found.Learnings, err = s.Search(ctx, query); err != nil {
			return shown, err
		}
		if b.Embed != nil {
			found.Learnings, found.Warning = b.fuse(ctx, s, query, found.Learnings)
		}
		if q.Turns > 0 {
			said := query
			said.Most, said.Without, said.Project = q.Turns, q.Without, b.Turns
			found.Turns, err = s.SearchTurns(ctx, said)
		}
		for _, h := range found.Learnings {
			shown.Found = append(shown.Found, h.ID)
		}
		return shown, err
	})
	if errors.Is(err, store.ErrNone) {
		return Found{}, nil
	}
	if err != nil {
		return Found{}, err
	}
	return found, nil
}

// withoutOperators takes AND, OR and NOT out of a question: they mean something to other
// searches, and who types them wants the words beside them. What is all in capitals, as
// some error messages are, stays as it is.
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

// seen are the ids of learnings that somebody was shown.
type seen struct {
	Recalled, Found []string
	Note            *Injected // what is noted of it
}

// readAndCount reads from the store, which may be tried twice, and counts what was read. A
// store that cannot be written to is read all the same, and nothing counted.
func (b *Service) readAndCount(ctx context.Context, read func(context.Context, *store.Store) (seen, error)) error {
	if b.Uncounted {
		return b.Ask(ctx, func(ctx context.Context, s *store.Store) error {
			_, err := read(ctx, s)
			return err
		})
	}
	if b.Replica != nil {
		return b.askAndCount(ctx, read)
	}
	s, err := store.OpenExisting(ctx, b.Dir)
	if errors.Is(err, store.ErrNone) {
		return err
	}
	if err != nil {
		return b.Read(ctx, func(s *store.Store) error {
			_, err := read(ctx, s)
			return err
		})
	}
	shown, err := read(ctx, s)
	if op, any := shown.operation(); err == nil && any {
		op.At = b.Now()
		_, _ = s.Apply(ctx, op)
		_ = shown.note(ctx, s)
	}
	return errors.Join(err, s.Close())
}

// askAndCount is readAndCount for the store of a team.
func (b *Service) askAndCount(ctx context.Context, read func(context.Context, *store.Store) (seen, error)) error {
	var shown seen
	err := b.Ask(ctx, func(ctx context.Context, s *store.Store) (err error) {
		shown, err = read(ctx, s)
		return err
	})
	if op, any := shown.operation(); err == nil && any {
		_, _, _ = b.commit(ctx, op, func(ctx context.Context, s *store.Store, _ store.Result) error { return shown.note(ctx, s) })
	}
	return err
}

// operation is what counts that they were shown, if any were.
func (s seen) operation() (op store.Operation, any bool) {
	op = store.Operation{Kind: store.OpCounts, Recalled: s.Recalled, Found: s.Found}
	return op, len(s.Recalled)+len(s.Found) > 0
}

func (s seen) note(ctx context.Context, in *store.Store) error {
	if s.Note == nil {
		return nil
	}
	return in.Note(ctx, lastInjection, s.Note)
}

// fuse joins what was found by words with what is near by its vector.
func (b *Service) fuse(ctx context.Context, s *store.Store, q store.Query, hits []store.Hit) ([]store.Hit, error) {
	limited, cancel := context.WithTimeout(ctx, queryEmbedTime)
	defer cancel()
	model, vector, err := b.Embed(limited, q.Text)
	if err != nil {
		return hits, err
	}
	q.Evidence = leastSimilarity
	near, err := s.Nearest(ctx, model, vector, q)
	if err != nil {
		return hits, err
	}
	known := map[string]store.Hit{}
	byWords := make([]string, len(hits))
	for i, h := range hits {
		byWords[i], known[h.ID] = h.ID, h
	}
	ids := rank.Fuse(byWords, near)
	var fused []store.Hit
	for _, id := range ids[:min(len(ids), q.Most)] {
		h, found := known[id]
		if !found {
			d, err := s.Get(ctx, id)
			if err != nil {
				return hits, err
			}
			h = store.Hit{Learning: d.Learning}
		}
		fused = append(fused, h)
	}
	return fused, nil
}
