package remember

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"whence/internal/learning"
	"whence/internal/store"
)

// ErrTooShort reports a text that is too short to be worth remembering.
var ErrTooShort = errors.New(learning.TooShort)

// RememberResult reports what Remember did with a learning.
type RememberResult struct {
	store.Outcome
	Redacted []string // kinds of secrets that were removed
	Unplaced bool     // it is global for want of a repository
}

const noRepository = "global, as this is not a repository: all repositories get it"

// Message returns a line for people: "Stored: name (category)".
func (r RememberResult) Message() string {
	if r.Reinforced {
		return fmt.Sprintf("Reinforced: %s (%s) — observation count incremented", r.Name, r.Category)
	}
	return fmt.Sprintf("Stored: %s (%s)", r.Name, r.Category)
}

// IDMessage returns a line for programs, which use the id: "Stored: name (id: …)".
func (r RememberResult) IDMessage() string {
	if r.Reinforced {
		return fmt.Sprintf("Reinforced: %s (id: %s, observations: %d)", r.Name, r.ID, r.Observations)
	}
	return fmt.Sprintf("Stored: %s (id: %s)", r.Name, r.ID)
}

// Notes returns remarks on the result, one line each.
func (r RememberResult) Notes() (notes []string) {
	if r.Unplaced {
		notes = append(notes, noRepository)
	}
	if len(r.Redacted) > 0 {
		notes = append(notes, redactedText(r.Redacted))
	}
	return notes
}

// Remember stores a learning for the user. The description is required and stored verbatim, except
// for spaces around it; other missing fields are inferred. The default confidence is low, the
// default source a session.
func (svc *Service) Remember(ctx context.Context, l learning.Learning, global bool) (r RememberResult, err error) {
	l.Confidence, l.Source = cmp.Or(l.Confidence, learning.Low), cmp.Or(l.Source, learning.SessionCapture)
	if !global {
		l.Project = svc.Project
	}
	if err := checkLength(l); err != nil {
		return r, err
	}
	r.Redacted = clean(&l)
	if !longEnough(l.Description, r.Redacted) {
		return r, ErrTooShort
	}
	complete(&l)
	if err := l.Validate(); err != nil {
		return r, err
	}
	err = svc.write(ctx, func(s *store.Store) error {
		r.Unplaced = l.Project == "" && !global
		r.Outcome, err = s.Put(ctx, l, store.Observation{At: svc.Now(), Session: svc.Session, Project: svc.Project})
		return err
	})
	if err == nil {
		svc.stored()
	}
	return r, err
}
