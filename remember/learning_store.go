package remember

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/inert"
	"whence/internal/learning"
	"whence/internal/redact"
	"whence/internal/store"
)

// RememberResult reports what Remember did with a learning.
type RememberResult struct {
	store.Outcome
	Redacted []string // kinds of secrets that were removed
	Unplaced bool     // it is global because there is no repository
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
	return append(notes, redactedNotes(r.Redacted)...)
}

// Remember stores a learning for the user. The description is required and stored verbatim, except
// for spaces around it; other missing fields are inferred. The default confidence is low, the
// default source a session.
func (svc *Service) Remember(ctx context.Context, l learning.Learning, global bool) (r RememberResult, err error) {
	l.Confidence, l.Source = cmp.Or(l.Confidence, learning.Low), cmp.Or(l.Source, learning.SessionCapture)
	if !global {
		l.Project = svc.Project
	}
	if r.Redacted, err = prepare(&l, true); err != nil {
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

// choice normalizes one of a few words as an agent may have written it: " Patterns" becomes patterns.
func choice(word string) string { return strings.ToLower(strings.TrimSpace(word)) }

// CaptureResult reports what Store did with a learning.
type CaptureResult struct {
	RememberResult
	Decision store.Decision
	Silent   int // silent captures of the session so far
	Budget   int // maximum of Silent
}

// Store runs the tool store_memory: it stores a learning of an agent, if the settings allow it.
// RefusalText describes an error in the arguments.
func (svc *Service) Store(ctx context.Context, a StoreArguments) (c CaptureResult, err error) {
	l := learning.Learning{
		Name: a.Name, Description: a.Description, Reasoning: a.Reasoning, Category: learning.Category(choice(a.Category)),
		References: a.References, Confidence: learning.Confidence(cmp.Or(choice(a.Confidence), string(learning.Medium))), Source: learning.SessionCapture,
		Project: svc.Project,
	}
	if c.Redacted, err = prepare(&l, false); err != nil {
		return c, err
	}
	l.Name = learning.Shorten(l.Name)
	approval := store.Unasked
	if a.Approved != nil {
		approval = store.Rejected
		if *a.Approved {
			approval = store.Approved
		}
	}
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
		return c, nil
	}
	l.ID = learning.ID(l.Description)
	c.Learning = l
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
	if c.Decision == store.Proposed || c.Decision == store.OverBudget {
		notes = append(notes, fmt.Sprintf("%s (%s)\n%s\nWhy: %s\n\nShow this to the user and ask. If they agree, store it again with approved: true (--approved); if not, with approved: false (--rejected).",
			c.Name, c.Category, c.Description, c.Reasoning))
	}
	return notes
}

// prepare removes secrets from a learning, infers missing fields if infer is set, and validates the result.
// It returns the kinds of the secrets.
func prepare(l *learning.Learning, infer bool) (redacted []string, err error) {
	if err := checkLength(*l); err != nil {
		return nil, err
	}
	redacted = clean(l)
	if infer {
		if !longEnough(l.Description, redacted) {
			return redacted, learning.ErrTooShort
		}
		complete(l)
	}
	if err := l.Validate(); err != nil {
		return redacted, err
	}
	if !longEnough(l.Description, redacted) {
		return redacted, learning.ErrTooShort
	}
	return redacted, nil
}

// clean removes what must not be stored from a learning, and returns the kinds of the secrets in it.
func clean(l *learning.Learning) (kinds []string) {
	redactText := func(s *string) {
		var found []string
		*s, found = redact.Text(inert.Clean(*s))
		kinds = learning.Union(kinds, found)
	}
	for _, s := range []*string{&l.Name, &l.Description, &l.Reasoning} {
		redactText(s)
	}
	l.Keywords, l.References = slices.Clone(l.Keywords), slices.Clone(l.References) // the caller's do not change
	for _, list := range [][]string{l.Keywords, l.References} {
		for i := range list {
			redactText(&list[i])
		}
	}
	return kinds
}

// longEnough reports whether a cleaned text is long enough without the marks of redacted secrets.
func longEnough(description string, redacted []string) bool {
	if len(redacted) > 0 {
		description = redact.ReplaceMarks(description, "")
	}
	return learning.LongEnough(description)
}

// maxLearningChars limits all texts of a learning together. Longer ones do not help the agents that see them.
const maxLearningChars = 20_000

// LengthError reports a learning that is too long to be stored.
type LengthError struct{ Chars int }

func (e *LengthError) Error() string {
	return fmt.Sprintf("learning too long (%d characters, max %d): keep to one fact", e.Chars, maxLearningChars)
}

func checkLength(l learning.Learning) error {
	texts := slices.Concat([]string{l.Name, l.Description, l.Reasoning}, l.Keywords, l.References)
	if n := utf8.RuneCountInString(strings.Join(texts, "")); n > maxLearningChars {
		return &LengthError{n}
	}
	return nil
}

// complete fills in the fields that are missing, and shortens the name.
func complete(l *learning.Learning) {
	if l.Category == "" {
		l.Category = learning.InferCategory(l.Description)
	}
	if l.Name == "" {
		l.Name = learning.InferName(redact.ReplaceMarks(l.Description, redact.NameMark))
	}
	l.Reasoning = cmp.Or(l.Reasoning, learning.NoReason)
	l.Name = learning.Shorten(l.Name)
}

// redactedNotes returns a remark on the kinds of secrets that were not stored, or none.
func redactedNotes(kinds []string) []string {
	if len(kinds) == 0 {
		return nil
	}
	return []string{"Secrets left out: " + strings.Join(kinds, ", ")}
}
