package remember

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"whence/internal/learning"
	"whence/internal/store"
)

// StoreArguments are the arguments of the tool store_memory.
type StoreArguments struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Reasoning   string   `json:"reasoning"`
	Category    string   `json:"category"`
	References  []string `json:"references,omitempty"`
	Confidence  string   `json:"confidence,omitempty"`
	Approved    *bool    `json:"approved,omitempty"`
}

// Store runs the tool store_memory. RefusalText describes an error in the arguments.
func (svc *Service) Store(ctx context.Context, a StoreArguments) (CaptureResult, error) {
	approval := store.Unasked
	if a.Approved != nil {
		approval = store.Rejected
		if *a.Approved {
			approval = store.Approved
		}
	}
	return svc.Capture(ctx, learning.Learning{
		Name: a.Name, Description: a.Description, Reasoning: a.Reasoning, Category: learning.Category(choice(a.Category)),
		References: a.References, Confidence: learning.Confidence(cmp.Or(choice(a.Confidence), string(learning.Medium))), Source: learning.SessionCapture,
	}, approval)
}

// choice returns one of a few words as an agent may have written it: " Patterns" is patterns.
func choice(word string) string { return strings.ToLower(strings.TrimSpace(word)) }

// RefusalText is the reply to invalid arguments, or "" for any other error and none.
func RefusalText(err error) string {
	var field *learning.FieldError
	var length *LengthError
	if errors.As(err, &length) {
		return "Entry rejected: " + err.Error()
	}
	if errors.As(err, &field) || errors.Is(err, learning.ErrTooShort) || errors.Is(err, learning.ErrImportOnly) {
		return learning.Refusal(err)
	}
	return ""
}

// CaptureResult reports what Capture did with a learning.
type CaptureResult struct {
	RememberResult
	Decision store.Decision
	Silent   int // silent captures of the session so far
	Budget   int // maximum of Silent
}

// Capture stores a learning of an agent, if the settings allow it. All fields except the project
// are required; the error is one of learning.Learning.Validate, or a *LengthError.
func (svc *Service) Capture(ctx context.Context, l learning.Learning, approval store.Approval) (c CaptureResult, err error) {
	if c.Redacted, err = prepare(&l); err != nil {
		return c, err
	}
	l.Name = learning.Shorten(l.Name)
	l.Project = svc.Project
	c.Budget = svc.Policy.Budget
	err = svc.write(ctx, func(s *store.Store) error {
		o := store.Observation{At: svc.Now(), Session: svc.Session}
		if c.Decision, c.Outcome, err = s.Capture(ctx, l, o, svc.Policy, approval); err != nil {
			return err
		}
		c.Silent, err = s.SilentCaptures(ctx, svc.Session)
		return err
	})
	if err != nil {
		return c, err
	}
	if c.Decision == store.Stored || c.Decision == store.Silently {
		c.Unplaced = l.Project == ""
		svc.stored()
	} else {
		l.ID = learning.ID(l.Description)
		c.Learning = l
	}
	return c, nil
}

// Message returns the reply to the agent, one line.
func (c CaptureResult) Message() string {
	switch c.Decision {
	case store.Stored:
		return c.IDMessage()
	case store.Silently:
		if c.Reinforced {
			return c.IDMessage()
		}
		return fmt.Sprintf("Captured: %s (%s)", c.Name, c.Category)
	case store.OverBudget:
		return "Silent capture budget reached. Proposing remaining learnings for approval."
	case store.Discarded:
		return fmt.Sprintf("Discarded: %s. Do not propose it again in this session.", c.Name)
	case store.RejectedBefore:
		return fmt.Sprintf("Not stored: the user has turned %q down in this session. Do not propose it again.", c.Name)
	case store.SwitchedOff:
		return "Not stored: capture is switched off (memory_model_capture_mode: off). Do not propose learnings."
	}
	return fmt.Sprintf("Proposed, not stored: %s (%s)", c.Name, c.Category)
}

// Notes returns remarks for the agent, each of one or more lines.
func (c CaptureResult) Notes() []string {
	notes := c.RememberResult.Notes()
	if c.Decision == store.Silently {
		notes = append(notes, fmt.Sprintf("Silent captures this session: %d/%d", c.Silent, c.Budget))
	}
	if proposal := c.proposal(); proposal != "" {
		notes = append(notes, proposal+"\n\nShow this to the user and ask. If they agree, call store_memory again with approved: true; if not, with approved: false.")
	}
	return notes
}

// proposal returns the text to show to the user for approval, or "".
func (c CaptureResult) proposal() string {
	if c.Decision != store.Proposed && c.Decision != store.OverBudget {
		return ""
	}
	return fmt.Sprintf("%s (%s)\n%s\nWhy: %s", c.Name, c.Category, c.Description, c.Reasoning)
}
