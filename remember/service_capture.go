package remember

import (
	"context"
	"fmt"

	"whence/internal/learning"
	"whence/internal/store"
)

// Captured is what became of a learning that an agent wanted to store.
type Captured struct {
	Remembered
	Decision store.Decision
	Silent   int // silent captures of the session so far
	Budget   int // how many it may have
}

// BudgetReached is told where the silent captures of a session are used up.
const BudgetReached = "Silent capture budget reached. Proposing remaining learnings for approval."

// Capture stores what an agent wants to be stored, as far as the settings allow it. All
// fields but the project must be given; what is wrong with them is an error of
// learning.Learning.Validate, or a *LengthError.
func (b *Service) Capture(ctx context.Context, l learning.Learning, approval store.Approval) (c Captured, err error) {
	if err := checkLength(l); err != nil {
		return c, err
	}
	c.Redacted = clean(&l)
	if err := l.Validate(); err != nil {
		return c, err
	}
	if !longEnough(l.Description, c.Redacted) {
		return c, learning.ErrTooShort
	}
	l.Name = learning.Shorten(l.Name)
	l.Project = b.Project
	c.Budget = b.Policy.Budget
	op := store.Operation{Kind: store.OpCapture, Learning: &l, Policy: b.Policy, Approval: approval}
	_, c.Kept, err = b.commit(ctx, op, func(ctx context.Context, s *store.Store, done store.Result) (err error) {
		c.Decision, c.Outcome = done.Decision, done.Outcome
		if c.Opposites, err = opposites(ctx, s, c.Contradicts); err != nil {
			return err
		}
		c.Silent, err = s.SilentCaptures(ctx, b.Session)
		return err
	})
	if err != nil {
		return c, err
	}
	if c.Decision == store.Stored || c.Decision == store.Silently {
		b.stored()
	} else {
		l.ID = learning.ID(l.Description)
		c.Learning, c.Kept = l, ""
	}
	return c, nil
}

// Message is the answer to the agent, a line.
func (c Captured) Message() string {
	switch c.Decision {
	case store.Stored:
		return c.IDMessage()
	case store.Silently:
		if c.Reinforced || c.Apart {
			return c.IDMessage()
		}
		return fmt.Sprintf("Captured: %s (%s)", c.Name, c.Category)
	case store.OverBudget:
		return BudgetReached
	case store.Discarded:
		return fmt.Sprintf("Discarded: %s. Do not propose it again in this session.", c.Name)
	case store.RejectedBefore:
		return fmt.Sprintf("Not stored: the user has turned %q down in this session. Do not propose it again.", c.Name)
	case store.SwitchedOff:
		return "Not stored: capture is switched off (memory_model_capture_mode: off). Do not propose learnings."
	}
	return fmt.Sprintf("Proposed, not stored: %s (%s)", c.Name, c.Category)
}

// Notes are what else the agent is to know, a line or a few each.
func (c Captured) Notes() []string {
	notes := c.Remembered.Notes()
	switch c.Decision {
	case store.Silently:
		notes = append(notes, fmt.Sprintf("Silent captures this session: %d/%d", c.Silent, c.Budget))
	case store.Proposed, store.OverBudget:
		notes = append(notes, c.Proposal()+"\n\nShow this to the user and ask. If they agree call store_memory again with approved: true, if not with approved: false.")
	}
	return notes
}

// Proposal is what the user is to be asked about, or "" if there is nothing to ask.
func (c Captured) Proposal() string {
	if c.Decision != store.Proposed && c.Decision != store.OverBudget {
		return ""
	}
	return fmt.Sprintf("%s (%s)\n%s\nWhy: %s", c.Name, c.Category, c.Description, c.Reasoning)
}
