package store

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"time"

	"whence/internal/learning"
)

// OperationKind says what an operation does.
type OperationKind string

// The kinds.
const (
	OpPut     OperationKind = "put"     // stores a learning, or reinforces a known one
	OpCapture OperationKind = "capture" // stores one as far as the policy allows
	OpEdit    OperationKind = "edit"    // changes fields of one
	OpForget  OperationKind = "forget"  // deletes one
	OpImport  OperationKind = "import"  // adds learnings as they are
	OpCounts  OperationKind = "counts"  // counts learnings that were injected or found
	OpTurns   OperationKind = "turns"   // stores turns
	OpPrune   OperationKind = "prune"   // deletes turns
)

// Operation is a change of a store as data, to be applied later or elsewhere.
type Operation struct {
	Kind    OperationKind `json:"kind"`
	Key     string        `json:"key"` // unique; see Store.Once
	At      time.Time     `json:"at"`
	Session string        `json:"session,omitempty"` // of the agent

	ID        string              `json:"id,omitempty"`       // of the learning; of one that is put or captured, its id in the replica
	Learning  *learning.Learning  `json:"learning,omitempty"` // to put or capture
	Revive    bool                `json:"revive,omitempty"`   // see Observation
	Policy    Policy              `json:"policy,omitzero"`
	Approval  Approval            `json:"approval,omitempty"`
	Edit      *Edit               `json:"edit,omitempty"`
	Learnings []learning.Learning `json:"learnings,omitempty"` // to import
	Recalled  []string            `json:"recalled,omitempty"`  // ids of injected learnings
	Found     []string            `json:"found,omitempty"`     // ids of learnings that a search found
	Turns     *Captured           `json:"turns,omitempty"`
	Prune     *PruneOptions       `json:"prune,omitempty"`

	Allowed *Projects          `json:"-"` // see Observation
	Before  *learning.Learning `json:"-"` // the learning to change, as it was found; a replica may not have it yet
}

// Idempotent reports whether operations of this kind need no key: turns have UUIDs, and pruned ones
// stay deleted.
func (k OperationKind) Idempotent() bool { return k == OpTurns || k == OpPrune }

// Unordered reports whether operations of this kind may be applied in any order.
func (k OperationKind) Unordered() bool { return k.Idempotent() || k == OpCounts }

// WithKey returns the operation with a key: a new one if it has none.
func (op Operation) WithKey() Operation {
	if op.Key == "" {
		var key [16]byte
		_, _ = rand.Read(key[:]) // never fails
		op.Key = hex.EncodeToString(key[:])
	}
	return op
}

// Edit holds new values for fields of a learning; nil keeps a field as it is.
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

// EditOf returns the edit that turns one learning into another. Fields that cannot be edited are
// ignored.
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
	after = append([]string{}, after...) // JSON would omit nil
	return &after
}

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
