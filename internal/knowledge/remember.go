package knowledge

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
	Redacted []string // kinds of secrets that were taken out before
}

// Message is what a person reads: "Stored: name (category)".
func (r Remembered) Message() string {
	if r.Reinforced {
		return fmt.Sprintf("Reinforced: %s (%s) — observation count incremented", r.Name, r.Category)
	}
	return fmt.Sprintf("Stored: %s (%s)", r.Name, r.Category)
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
	if r.Revived != "" {
		notes = append(notes, "It applies again; it was "+r.Revived)
	}
	if r.Retired != "" {
		notes = append(notes, "It stays out of use: it was said to be "+r.Retired)
	}
	if text := ContradictsText(r.Contradicts); text != "" {
		notes = append(notes, text)
	}
	return notes
}

// Remember stores what a user wants to be remembered. The description is the text as it
// stands, but for blanks around it; what else is not given in l is inferred. The
// confidence is low and the source a session's if they are not given.
func (b *Base) Remember(ctx context.Context, l learning.Learning, global bool) (r Remembered, err error) {
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
	if !learning.LongEnough(l.Description) {
		return r, ErrTooShort
	}
	complete(&l)
	if err := l.Validate(); err != nil {
		return r, err
	}
	o := b.observation()
	o.Revive = true
	err = b.change(ctx, func(s *store.Store) error {
		r.Outcome, err = s.Put(ctx, l, o)
		return err
	})
	if err != nil {
		return r, err
	}
	b.stored()
	return r, nil
}

func (b *Base) stored() {
	if b.Stored != nil {
		b.Stored()
	}
}
