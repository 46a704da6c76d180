package remember

import (
	"context"
	"errors"

	"whence/internal/learning"
	"whence/internal/store"
)

// Arguments are those of the tool store_memory.
type Arguments struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Reasoning   string   `json:"reasoning"`
	Category    string   `json:"category"`
	References  []string `json:"references,omitempty"`
	Confidence  string   `json:"confidence,omitempty"`
	Approved    *bool    `json:"approved,omitempty"`
}

// Store is the tool store_memory. What is wrong with the arguments is an error that
// Refused knows.
func (b *Service) Store(ctx context.Context, a Arguments) (Captured, error) {
	if a.Confidence == "" {
		a.Confidence = string(learning.Medium)
	}
	approval := store.Unasked
	if a.Approved != nil {
		approval = store.Rejected
		if *a.Approved {
			approval = store.Approved
		}
	}
	return b.Capture(ctx, learning.Learning{
		Name: a.Name, Description: a.Description, Reasoning: a.Reasoning, Category: learning.Category(a.Category),
		References: a.References, Confidence: learning.Confidence(a.Confidence), Source: learning.SessionCapture,
	}, approval)
}

// Refused is the answer to arguments that are wrong, or "" for any other error and none.
func Refused(err error) string {
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

// Answer is what became of a learning that an agent wanted to store, for machines.
type Answer struct {
	Decision       string   `json:"decision"`
	Message        string   `json:"message"`
	Notes          []string `json:"notes,omitempty"`
	ID             string   `json:"id,omitempty"`
	Name           string   `json:"name"`
	Category       string   `json:"category"`
	Reinforced     bool     `json:"reinforced,omitempty"`
	Observations   int      `json:"observations,omitempty"`
	Redacted       []string `json:"redacted,omitempty"`
	Contradicts    []string `json:"contradicts,omitempty"`
	SilentCaptures int      `json:"silent_captures"`
	Budget         int      `json:"budget"`
}

// decisions are the words for store.Decision.
var decisions = map[store.Decision]string{
	store.Stored: "stored", store.Silently: "captured", store.Proposed: "proposed", store.OverBudget: "over-budget",
	store.Discarded: "discarded", store.RejectedBefore: "rejected-before", store.SwitchedOff: "off",
}

// Answer makes the answer for machines.
func (c Captured) Answer() Answer {
	return Answer{
		Decision: decisions[c.Decision], Message: c.Message(), Notes: c.Notes(), ID: c.ID, Name: c.Name, Category: string(c.Category),
		Reinforced: c.Reinforced, Observations: c.Observations, Redacted: c.Redacted, Contradicts: c.Contradicts,
		SilentCaptures: c.Silent, Budget: c.Budget,
	}
}
