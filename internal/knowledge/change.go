package knowledge

import (
	"context"

	"whence/internal/learning"
	"whence/internal/store"
)

// Forget deletes a learning, by id or name, and returns it as it was.
func (b *Base) Forget(ctx context.Context, name string) (l learning.Learning, err error) {
	err = b.changeKnown(ctx, func(s *store.Store) error {
		l, err = s.Forget(ctx, name)
		return err
	})
	return l, err
}

// Say records what somebody says of a learning, by id or name.
func (b *Base) Say(ctx context.Context, name string, verdict store.Verdict, reason string) (l learning.Learning, err error) {
	if err := checkTexts("reason", longestReason, reason); err != nil {
		return l, err
	}
	hidden := learning.Learning{Description: reason}
	clean(&hidden)
	err = b.changeKnown(ctx, func(s *store.Store) error {
		l, err = s.Say(ctx, name, store.Feedback{Verdict: verdict, Reason: hidden.Description, Session: b.Session, At: b.Now()})
		return err
	})
	return l, err
}

// Edit changes a learning, by id or name. What was taken out of the new text is told.
func (b *Base) Edit(ctx context.Context, name string, edit func(*learning.Learning)) (l learning.Learning, redacted []string, err error) {
	err = b.changeKnown(ctx, func(s *store.Store) error {
		l, err = s.Edit(ctx, name, b.Now(), func(l *learning.Learning) error {
			edit(l)
			if err := checkLength(*l); err != nil {
				return err
			}
			redacted = clean(l)
			return l.Validate()
		})
		return err
	})
	if err == nil {
		b.stored()
	}
	return l, redacted, err
}

// changeKnown opens the store for writing, unless there is none: then nothing can be
// known.
func (b *Base) changeKnown(ctx context.Context, run func(*store.Store) error) error {
	if err := b.Read(ctx, func(*store.Store) error { return nil }); err != nil {
		return err
	}
	return b.change(ctx, run)
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
	for _, known := range list {
		if known == item {
			return list
		}
	}
	return append(list, item)
}
