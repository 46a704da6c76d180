package team

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/learning"
	"whence/internal/store"
)

// row is a learning on the server.
type row struct {
	learning     *learning.Learning // nil: there is none, or it was forgotten
	exists       bool               // the learning, or what remains of it
	revision     int64              // of the last change
	textRevision int64              // of the last change of its text
	origin       string             // the store that changed it
	mayForget    bool               // the login wrote it, or is an admin
	predecessor  string             // id before the description was edited
	changed      bool               // to be written
}

// merge applies operations of one store to rows of a repository.
type merge struct {
	rows    map[string]*row // by id
	origin  string          // the store
	login   string
	refused []string // what was not done, for the user
}

// row returns the row with an id, which is new if the server has none.
func (m *merge) row(id string) *row {
	if m.rows[id] == nil {
		m.rows[id] = &row{}
	}
	return m.rows[id]
}

func (m *merge) apply(op store.Op) {
	switch op.Kind {
	case store.OpAdd:
		m.add(*op.Learning)
	case store.OpReinforce:
		m.reinforce(*op.Learning)
	case store.OpEdit:
		m.edit(op.Before, op.Revision, *op.Learning)
	case store.OpForget:
		m.forget(op.Before)
	}
}

// add adds a learning, revives it, or joins the texts and counts of two. No store has the joined text yet,
// so it has no origin: otherwise the next edit of one would overwrite what the other has added.
func (m *merge) add(l learning.Learning) {
	r := m.row(l.ID)
	if r.learning == nil {
		m.set(r, l)
		return
	}
	joined := join(*r.learning, l)
	if !sameTexts(*r.learning, joined) {
		r.origin = ""
	}
	r.learning, r.changed = &joined, true
}

// set changes a row to what the store of the operation has.
func (m *merge) set(r *row, l learning.Learning) {
	r.mayForget = r.mayForget || r.learning == nil
	if r.learning == nil || !sameTexts(*r.learning, l) {
		r.origin = m.origin
	}
	r.learning, r.exists, r.changed = &l, true, true
}

// join returns the learning of the server with what another of the same description adds. A learning that
// comes back, as when a repository joins again, was created at the same time: its count is not added.
func join(l, other learning.Learning) learning.Learning {
	count := l.Observations + other.Observations
	if l.Created.Equal(other.Created) {
		count = max(l.Observations, other.Observations)
	}
	l = support(l, other)
	l.Observations = count
	reason := strings.TrimSpace(other.Reasoning)
	if other.Name != l.Name {
		reason = other.Name + ": " + reason
	}
	switch {
	case reason == "" || reason == learning.NoReason || strings.Contains(l.Reasoning, reason):
	case l.Reasoning == learning.NoReason || strings.Contains(reason, l.Reasoning):
		l.Reasoning = reason
	default:
		l.Reasoning += "\n" + reason
	}
	return l
}

// reinforce counts one more observation. It never revives what was forgotten.
func (m *merge) reinforce(l learning.Learning) {
	r := m.row(l.ID)
	if !r.exists {
		m.add(l)
	} else if r.learning != nil {
		l = support(*r.learning, l)
		l.Observations++
		r.learning, r.changed = &l, true
	}
}

// support adds keywords, references and confidence of an equal learning.
func support(l, other learning.Learning) learning.Learning {
	l.Keywords, l.References = learning.Union(l.Keywords, other.Keywords), learning.Union(l.References, other.References)
	ranks := []learning.Confidence{learning.Low, learning.Medium, learning.High}
	if slices.Index(ranks, other.Confidence) > slices.Index(ranks, l.Confidence) {
		l.Confidence = other.Confidence
	}
	if other.Updated.After(l.Updated) {
		l.Updated = other.Updated
	}
	return l
}

// edit changes the learning with the id before. If another store has changed its text since the revision,
// or it was forgotten, the edit becomes a learning of its own.
func (m *merge) edit(before string, revision int64, l learning.Learning) {
	r := m.row(before)
	if r.learning == nil {
		m.add(l)
		return
	}
	mine := r.textRevision <= revision || r.origin == m.origin
	if !mine && !sameTexts(*r.learning, l) {
		r.changed = true // draws a new revision: the store that has edited pulls what it did not have
		if l.ID == before {
			l.Description = besideOf(l.Description, m.login)
			l.ID = learning.ID(l.Description)
		}
		m.add(l)
		return
	}
	l.Observations, l.Created, l.Source = r.learning.Observations, r.learning.Created, r.learning.Source
	if r.revision > revision { // what others have added since stays
		l.Keywords, l.References = learning.Union(l.Keywords, r.learning.Keywords), learning.Union(l.References, r.learning.References)
	}
	if l.ID == before {
		m.set(r, l)
		return
	}
	m.add(l)
	m.row(l.ID).predecessor = before
	r.learning, r.changed = nil, true
}

// besideOf returns the description of an edit that cannot have the id of what it edits: an id is the hash
// of a description.
func besideOf(description, login string) string {
	return fmt.Sprintf("%s (edited by %s)", description, login)
}

// forget removes the text of a learning, if the login may.
func (m *merge) forget(id string) {
	r := m.row(id)
	if r.learning == nil {
		return
	}
	r.changed = true // also if it stays: the store that has forgotten it pulls it again
	if !r.mayForget {
		m.refused = append(m.refused, fmt.Sprintf("%q was not forgotten: only its author or an admin of the team may do that", r.learning.Name))
		return
	}
	r.learning = nil
}

// sameTexts reports whether two learnings differ only in what schema.sql calls counts.
func sameTexts(a, b learning.Learning) bool {
	return a.Name == b.Name && a.Description == b.Description && a.Reasoning == b.Reasoning && a.Category == b.Category
}
