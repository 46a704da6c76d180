package store

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"time"

	"whence/internal/learning"
)

// OperationKind is what an operation does.
type OperationKind string

// The kinds.
const (
	OpPut      OperationKind = "put"      // stores a learning, or reinforces a known one
	OpCapture  OperationKind = "capture"  // stores one as far as the policy allows it
	OpEdit     OperationKind = "edit"     // changes fields of one
	OpForget   OperationKind = "forget"   // deletes one
	OpFeedback OperationKind = "feedback" // says what one was good for
	OpImport   OperationKind = "import"   // adds learnings as they are
	OpCounts   OperationKind = "counts"   // counts that learnings were shown or found
	OpTurns    OperationKind = "turns"    // stores what was said
	OpPrune    OperationKind = "prune"    // deletes what was said
)

// Operation is a change of a
type Operation struct {
	Kind    OperationKind `json:"kind"`
	Key     string        `json:"key"` // of it alone: under it a server does it once
	At      time.Time     `json:"at"`
	Session string        `json:"session,omitempty"` // of the agent

	ID        string              `json:"id,omitempty"`       // of the learning; of one that is put or captured, its id in the copy
	Learning  *learning.Learning  `json:"learning,omitempty"` // that is put or captured
	Revive    bool                `json:"revive,omitempty"`   // see Observation
	Policy    Policy              `json:"policy,omitzero"`
	Approval  Approval            `json:"approval,omitempty"`
	Edit      *Edit               `json:"edit,omitempty"`
	Feedback  *Feedback           `json:"feedback,omitempty"`
	Learnings []learning.Learning `json:"learnings,omitempty"` // that are imported
	Recalled  []string            `json:"recalled,omitempty"`  // ids of those that were put before an agent
	Found     []string            `json:"found,omitempty"`     // ids of those that a search has found
	Turns     *Captured           `json:"turns,omitempty"`
	Prune     *PruneOptions       `json:"prune,omitempty"`

	Allowed *Projects          `json:"-"` // see Observation
	Before  *learning.Learning `json:"-"` // that is to be changed, as it was found; the copy may not have it yet
}

// Idempotent tells whether the store itself knows what was done there before, so that it needs no
// key: turns by their UUIDs, and those that are gone stay so.
func (k OperationKind) Idempotent() bool { return k == OpTurns || k == OpPrune }

// Unordered tells whether an operation keeps none of learnings waiting.
func (k OperationKind) Unordered() bool { return k.Idempotent() || k == OpCounts }

// WithKey is an operation with a key, of its own if it has none.
func (op Operation) WithKey() Operation {
	if op.Key == "" {
		var key [16]byte
		_, _ = rand.Read(key[:]) // never fails
		op.Key = hex.EncodeToString(key[:])
	}
	return op
}

// Edit is what fields of a learning become; nil: they stay as they are.
type Edit struct {
	Name        *string              `json:"name,omitempty"`
	Description *string              `json:"description,omitempty"`
	Reasoning   *string              `json:"reasoning,omitempty"`
	Category    *learning.Category   `json:"category,omitempty"`
	Confidence  *learning.Confidence `json:"confidence,omitempty"`
	Project     *string              `json:"project,omitempty"`
	Personal    *bool                `json:"personal,omitempty"`
	Keywords    *[]string            `json:"keywords,omitempty"`
	References  *[]string            `json:"references,omitempty"`
}

// EditOf is what makes one learning another. Fields that cannot be edited do not count.
func EditOf(before, after learning.Learning) *Edit {
	return &Edit{
		Name: changed(before.Name, after.Name), Description: changed(before.Description, after.Description), Reasoning: changed(before.Reasoning, after.Reasoning),
		Category: changed(before.Category, after.Category), Confidence: changed(before.Confidence, after.Confidence),
		Project: changed(before.Project, after.Project), Personal: changed(before.Personal, after.Personal),
		Keywords: changedList(before.Keywords, after.Keywords), References: changedList(before.References, after.References),
	}
}

func changed[T comparable](before, after T) *T {
	if before == after {
		return nil
	}
	return &after
}

func changedList(before, after []string) *[]string {
	if slices.Equal(before, after) {
		return nil
	}
	after = append([]string{}, after...) // nil would be lost in JSON
	return &after
}

// apply edits a learning.
func (e *Edit) apply(l *learning.Learning) {
	set(&l.Name, e.Name)
	set(&l.Description, e.Description)
	set(&l.Reasoning, e.Reasoning)
	set(&l.Category, e.Category)
	set(&l.Confidence, e.Confidence)
	set(&l.Project, e.Project)
	set(&l.Personal, e.Personal)
	set(&l.Keywords, e.Keywords)
	set(&l.References, e.References)
}

func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}
