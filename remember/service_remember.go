package remember

import (
	"context"
	"errors"
	"fmt"

	"whence/internal/learning"
	"whence/internal/store"
)

// ErrTooShort is a text that is too short to be worth remembering.
var ErrTooShort = errors.New(learning.TooShort)

// Remembered is what became of a learning.
type Remembered struct {
	store.Outcome
	Redacted  []string   // kinds of secrets that were taken out before
	Opposites []Opposite // the learnings of Contradicts
	Kept      string     // that a team has it later, and why; "" mostly
}

// apartText is the message where another repository has a learning for itself.
const apartText = "Not stored: another repository knows this already. Run `memory-hooks allow` there and here, and store it again: then it holds in all."

// Message is what a person reads: "Stored: name (category)".
func (r Remembered) Message() string {
	if r.Apart {
		return apartText
	}
	if r.Reinforced {
		return fmt.Sprintf("Reinforced: %s (%s) — observation count incremented", r.Name, r.Category)
	}
	return fmt.Sprintf("Stored: %s (%s)", r.Name, r.Category)
}

// IDMessage is the same for machines, which go on with the id: "Stored: name (id: …)".
func (r Remembered) IDMessage() string {
	if r.Apart {
		return apartText
	}
	if r.Reinforced {
		return fmt.Sprintf("Reinforced: %s (id: %s, observations: %d)", r.Name, r.ID, r.Observations)
	}
	return fmt.Sprintf("Stored: %s (id: %s)", r.Name, r.ID)
}

// Notes are what else is to be known about it, a line each.
func (r Remembered) Notes() []string {
	var notes []string
	if text := RedactedText(r.Redacted); text != "" {
		notes = append(notes, text)
	}
	if r.Near {
		notes = append(notes, "Known in other words: "+r.Description)
	}
	if r.Shared {
		notes = append(notes, "It was personal: now the team sees it")
	}
	if r.Revived != "" {
		notes = append(notes, "It applies again; it was "+r.Revived)
	}
	if r.Retired != "" {
		notes = append(notes, "It stays out of use: it was said to be "+r.Retired)
	}
	if text := ContradictsText(r.Opposites); text != "" {
		notes = append(notes, text)
	}
	if r.Kept != "" {
		notes = append(notes, r.Kept)
	}
	return notes
}

// Remember stores what a user wants to be remembered. The description is the text as it
// stands, but for blanks around it; what else is not given in l is inferred. The
// confidence is low and the source a session's if they are not given.
func (b *Service) Remember(ctx context.Context, l learning.Learning, global bool) (r Remembered, err error) {
	if l.Confidence == "" {
		l.Confidence = learning.Low
	}
	if l.Source == "" {
		l.Source = learning.SessionCapture
	}
	if !global {
		l.Project = b.Project
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
	_, r.Kept, err = b.commit(ctx, op, func(ctx context.Context, s *store.Store, done store.Result) (err error) {
		r.Outcome = done.Outcome
		r.Opposites, err = opposites(ctx, s, r.Contradicts)
		return err
	})
	if err != nil {
		return r, err
	}
	b.stored()
	return r, nil
}

func (b *Service) stored() {
	if b.Stored != nil {
		b.Stored()
	}
}
