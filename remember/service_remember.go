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
	Delayed  string   // why a team does not have it yet; usually ""
}

const apartText = "Not stored: another repository knows this already. Run `memory-hooks allow` there and here, and store it again: then it holds in all."

// Message returns a line for people: "Stored: name (category)".
func (r RememberResult) Message() string {
	if r.Apart {
		return apartText
	}
	if r.Reinforced {
		return fmt.Sprintf("Reinforced: %s (%s) — observation count incremented", r.Name, r.Category)
	}
	return fmt.Sprintf("Stored: %s (%s)", r.Name, r.Category)
}

// IDMessage returns a line for programs, which use the id: "Stored: name (id: …)".
func (r RememberResult) IDMessage() string {
	if r.Apart {
		return apartText
	}
	if r.Reinforced {
		return fmt.Sprintf("Reinforced: %s (id: %s, observations: %d)", r.Name, r.ID, r.Observations)
	}
	return fmt.Sprintf("Stored: %s (id: %s)", r.Name, r.ID)
}

// Notes returns remarks on the result, one line each.
func (r RememberResult) Notes() (notes []string) {
	for _, n := range []struct {
		applies bool
		text    string
	}{
		{len(r.Redacted) > 0, redactedText(r.Redacted)},
		{r.Shared, "It was personal: now the team sees it"},
		{r.Delayed != "", r.Delayed},
	} {
		if n.applies {
			notes = append(notes, n.text)
		}
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
	op := store.Operation{Kind: store.OpPut, Learning: &l, Revive: true}
	_, r.Delayed, err = svc.commit(ctx, op, func(ctx context.Context, s *store.Store, done store.Result) error {
		r.Outcome = done.Outcome
		return nil
	})
	if err == nil {
		svc.stored()
	}
	return r, err
}
