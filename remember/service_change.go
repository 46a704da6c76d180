package remember

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"whence/internal/learning"
	"whence/internal/store"
)

// Get returns one learning, by id or name. An id, or its beginning, matches in all repositories; a
// name only in this one, since others may use it for something else.
func (svc *Service) Get(ctx context.Context, name string) (d store.Detail, err error) {
	err = svc.read(ctx, func(ctx context.Context, s *store.Store) error {
		d, err = svc.get(ctx, s, name)
		return err
	})
	return d, err
}

func (svc *Service) get(ctx context.Context, s *store.Store, name string) (store.Detail, error) {
	d, err := s.Get(ctx, name)
	switch {
	case err != nil && (errors.Is(err, store.ErrAmbiguousID) || !errors.Is(err, store.ErrAmbiguous)):
		return d, err
	case err == nil && (d.Project == "" || d.Project == svc.Project || strings.HasPrefix(d.ID, strings.ToLower(name))):
		return d, nil
	}
	all, err := s.List(ctx, store.Filter{Project: svc.Project, Retired: true})
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

// Forget deletes a learning, by id or name as for Get, and returns it as it was.
func (svc *Service) Forget(ctx context.Context, name string) (l learning.Learning, err error) {
	return svc.applyTo(ctx, name, store.Operation{Kind: store.OpForget})
}

// RecordFeedback records a verdict on a learning, by id or name as for Get.
func (svc *Service) RecordFeedback(ctx context.Context, name string, verdict store.Verdict, reason string) (l learning.Learning, err error) {
	if err := checkTexts("reason", maxReasonChars, reason); err != nil {
		return l, err
	}
	cleaned := learning.Learning{Description: reason}
	clean(&cleaned)
	feedback := store.Feedback{Verdict: verdict, Reason: cleaned.Description, Session: svc.Session, At: svc.Now()}
	return svc.applyTo(ctx, name, store.Operation{Kind: store.OpFeedback, Feedback: &feedback})
}

// Edit changes a learning, by id or name as for Get, and returns the kinds of secrets that it
// removed from the new text.
func (svc *Service) Edit(ctx context.Context, name string, edit func(*learning.Learning)) (l learning.Learning, redacted []string, err error) {
	d, err := svc.Get(ctx, name)
	if err != nil {
		return l, nil, err
	}
	edited := d.Learning
	edited.Keywords, edited.References = slices.Clone(d.Keywords), slices.Clone(d.References)
	edit(&edited)
	if redacted, err = prepare(&edited); err != nil {
		return l, redacted, err
	}
	l, err = svc.apply(ctx, d.Learning, store.Operation{Kind: store.OpEdit, Edit: store.EditOf(d.Learning, edited)})
	if err == nil {
		svc.stored()
	}
	return l, redacted, err
}

// applyTo applies an operation to a named learning. If there is none, nothing is written, not even
// a new store.
func (svc *Service) applyTo(ctx context.Context, name string, op store.Operation) (l learning.Learning, err error) {
	d, err := svc.Get(ctx, name)
	if err != nil {
		return l, err
	}
	return svc.apply(ctx, d.Learning, op)
}

func (svc *Service) apply(ctx context.Context, before learning.Learning, op store.Operation) (learning.Learning, error) {
	op.ID, op.Before = before.ID, &before
	r, delayed, err := svc.commit(ctx, op, nil)
	if err == nil {
		svc.warn(delayed)
	}
	return r.Outcome.Learning, err
}
