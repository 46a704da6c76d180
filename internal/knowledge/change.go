package knowledge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"whence/internal/learning"
	"whence/internal/store"
)

// Find returns one learning, by id or name. An id, or its beginning, finds it wherever it
// was made; a name only where this repository sees it: another repository may use the
// same name for something else.
func (b *Base) Find(ctx context.Context, name string) (d store.Detail, err error) {
	err = b.Read(ctx, func(s *store.Store) error {
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
	err = b.changeKnown(ctx, name, func(s *store.Store, id string) error {
		l, err = s.Forget(ctx, id)
		return err
	})
	return l, err
}

// Say records what somebody says of a learning, by id or name (see Find).
func (b *Base) Say(ctx context.Context, name string, verdict store.Verdict, reason string) (l learning.Learning, err error) {
	if err := checkTexts("reason", longestReason, reason); err != nil {
		return l, err
	}
	hidden := learning.Learning{Description: reason}
	clean(&hidden)
	err = b.changeKnown(ctx, name, func(s *store.Store, id string) error {
		l, err = s.Say(ctx, id, store.Feedback{Verdict: verdict, Reason: hidden.Description, Session: b.Session, At: b.Now()})
		return err
	})
	return l, err
}

// Edit changes a learning, by id or name (see Find). What was taken out of the new text is
// told.
func (b *Base) Edit(ctx context.Context, name string, edit func(*learning.Learning)) (l learning.Learning, redacted []string, err error) {
	err = b.changeKnown(ctx, name, func(s *store.Store, id string) error {
		l, err = s.Edit(ctx, id, b.Now(), func(l *learning.Learning) error {
			edit(l)
			if err := checkLength(*l); err != nil {
				return err
			}
			redacted = clean(l)
			if err := l.Validate(); err != nil {
				return err
			}
			if !longEnough(l.Description, redacted) {
				return learning.ErrTooShort
			}
			return nil
		})
		return err
	})
	if err == nil {
		b.stored()
	}
	return l, redacted, err
}

// changeKnown changes a learning. Where there is none of this name nothing is written, not
// even a new store.
func (b *Base) changeKnown(ctx context.Context, name string, run func(s *store.Store, id string) error) error {
	d, err := b.Find(ctx, name)
	if err != nil {
		return err
	}
	return b.change(ctx, func(s *store.Store) error { return run(s, d.ID) })
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
	err = b.change(ctx, func(s *store.Store) error {
		added, err = s.Import(ctx, all, b.Now())
		return err
	})
	if added > 0 {
		b.stored()
	}
	return added, redacted, err
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
