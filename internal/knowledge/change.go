package knowledge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"whence/internal/delivery"
	"whence/internal/learning"
	"whence/internal/store"
)

// Find returns one learning, by id or name. An id, or its beginning, finds it wherever it
// was made; a name only where this repository sees it: another repository may use the
// same name for something else.
func (b *Base) Find(ctx context.Context, name string) (d store.Detail, err error) {
	err = b.Ask(ctx, func(ctx context.Context, s *store.Store) error {
		d, err = b.find(ctx, s, name)
		return err
	})
	return d, err
}

func (b *Base) find(ctx context.Context, s *store.Store, name string) (store.Detail, error) {
	d, err := s.Get(ctx, name)
	switch {
	case err != nil && (errors.Is(err, store.ErrAmbiguousID) || !errors.Is(err, store.ErrAmbiguous)):
		return d, err
	case err == nil && (b.sees(d.Learning) || strings.HasPrefix(d.ID, strings.ToLower(name))):
		return d, nil
	}
	all, err := s.List(ctx, store.Filter{Project: b.Project, Retired: true})
	if err != nil {
		return d, err
	}
	all = slices.DeleteFunc(all, func(l learning.Learning) bool { return !strings.EqualFold(l.Name, name) })
	switch len(all) {
	case 0:
		return store.Detail{}, fmt.Errorf("%q: %w in this repository", name, store.ErrUnknown)
	case 1:
		return s.Get(ctx, all[0].ID)
	}
	return store.Detail{}, fmt.Errorf("%q: %w", name, store.ErrAmbiguous)
}

// sees tells whether a learning is one of this repository, or global.
func (b *Base) sees(l learning.Learning) bool { return l.Project == "" || l.Project == b.Project }

// Forget deletes a learning, by id or name (see Find), and returns it as it was.
func (b *Base) Forget(ctx context.Context, name string) (l learning.Learning, err error) {
	return b.changeKnown(ctx, name, delivery.Operation{Kind: delivery.Forget})
}

// Say records what somebody says of a learning, by id or name (see Find).
func (b *Base) Say(ctx context.Context, name string, verdict store.Verdict, reason string) (l learning.Learning, err error) {
	if err := checkTexts("reason", longestReason, reason); err != nil {
		return l, err
	}
	hidden := learning.Learning{Description: reason}
	clean(&hidden)
	said := store.Feedback{Verdict: verdict, Reason: hidden.Description, Session: b.Session, At: b.Now()}
	return b.changeKnown(ctx, name, delivery.Operation{Kind: delivery.Feedback, Feedback: &said})
}

// Edit changes a learning, by id or name (see Find). What was taken out of the new text is
// told.
func (b *Base) Edit(ctx context.Context, name string, edit func(*learning.Learning)) (l learning.Learning, redacted []string, err error) {
	d, err := b.Find(ctx, name)
	if err != nil {
		return l, nil, err
	}
	edited := d.Learning
	edited.Keywords, edited.References = slices.Clone(d.Keywords), slices.Clone(d.References)
	edit(&edited)
	if err := checkLength(edited); err != nil {
		return l, nil, err
	}
	redacted = clean(&edited)
	if err := edited.Validate(); err != nil {
		return l, redacted, err
	}
	if !longEnough(edited.Description, redacted) {
		return l, redacted, learning.ErrTooShort
	}
	l, err = b.changeFound(ctx, d.Learning, delivery.Operation{Kind: delivery.Change, Edit: delivery.EditOf(d.Learning, edited)})
	if err == nil {
		b.stored()
	}
	return l, redacted, err
}

// changeKnown does an operation on a learning. Where there is none of this name nothing is
// written, not even a new store.
func (b *Base) changeKnown(ctx context.Context, name string, op delivery.Operation) (learning.Learning, error) {
	d, err := b.Find(ctx, name)
	if err != nil {
		return learning.Learning{}, err
	}
	return b.changeFound(ctx, d.Learning, op)
}

func (b *Base) changeFound(ctx context.Context, found learning.Learning, op delivery.Operation) (learning.Learning, error) {
	op.ID, op.Before = found.ID, &found
	r, kept, err := b.commit(ctx, op, nil)
	if err == nil {
		b.tell(kept)
	}
	return r.Outcome.Learning, err
}

// Import adds learnings as they are, cleaned; known ones stay as they are. It returns how
// many are new.
func (b *Base) Import(ctx context.Context, all []learning.Learning) (added int, redacted []string, err error) {
	for i := range all {
		for _, kind := range clean(&all[i]) {
			redacted = joined(redacted, kind)
		}
		complete(&all[i])
		if err := all[i].Validate(); err != nil {
			return 0, redacted, &ImportError{Name: all[i].Name, At: i, Err: err}
		}
	}
	if len(all) == 0 {
		return 0, nil, nil
	}
	added, err = b.addAll(ctx, all)
	if added > 0 {
		b.stored()
	}
	return added, redacted, err
}

// addAll imports learnings: all of them or none, but into the store of a team piece by piece.
func (b *Base) addAll(ctx context.Context, all []learning.Learning) (added int, err error) {
	pieces := [][]learning.Learning{all}
	if b.Team != nil {
		if pieces, err = delivery.Pieces(all); err != nil {
			return 0, err
		}
	}
	for _, piece := range pieces {
		r, kept, err := b.commit(ctx, delivery.Operation{Kind: delivery.Import, Learnings: piece}, nil)
		if added += r.Added; err != nil {
			return added, err
		}
		b.tell(kept)
	}
	return added, nil
}

// ImportError is a learning that cannot be imported. Nothing is.
type ImportError struct {
	Name string
	At   int // its place among the learnings, from 0
	Err  error
}

func (e *ImportError) Error() string { return "learning " + e.Name + ": " + e.Err.Error() }
func (e *ImportError) Unwrap() error { return e.Err }

func joined(list []string, item string) []string {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}
