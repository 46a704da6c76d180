package store

import (
	"cmp"
	"context"
	"strings"
	"time"

	"whence/internal/inert"
	"whence/internal/learning"
)

// Observation says when, in which session and where something was learned.
type Observation struct {
	At      time.Time // zero: now
	Session string    // of the agent, or ""
	Project string    // of the session: a global learning may repeat one of this repository
	Vetted  bool      // the user approved it: see learning.Vet
}

// Outcome is the result of storing a learning.
type Outcome struct {
	learning.Learning      // as it is stored now
	Reinforced        bool // an equal one was stored before
}

// Put stores a learning, or reinforces the equal one (learning.Folded) that applies in its repository.
//
// A reinforced learning keeps its name, description, category, source, and its reasoning if it has one.
// Keywords and references are merged; confidence rises (learning.Reinforce, learning.Vet). If either is
// global, so is the result. Texts are stored as inert.Clean returns them. A missing name or
// description, or an unknown category, confidence or source, is a *learning.FieldError; Validate checks
// the rest.
func (s *Store) Put(ctx context.Context, l learning.Learning, o Observation) (out Outcome, err error) {
	err = s.write(ctx, func(tx conn) error {
		out, err = put(ctx, tx, l, o)
		return err
	})
	return out, s.wrap("store the learning", err)
}

func put(ctx context.Context, tx conn, l learning.Learning, o Observation) (Outcome, error) {
	l, err := storable(l)
	if err != nil {
		return Outcome{}, err
	}
	o.At, o.Session = storedTime(o.At), inert.Clean(o.Session)
	known, err := tx.equal(ctx, l, cmp.Or(l.Project, o.Project))
	if err != nil {
		return Outcome{}, err
	}
	if known != nil {
		return reinforce(ctx, tx, *known, l, o)
	}
	seq, err := add(ctx, tx, &l, o.At)
	if err != nil {
		return Outcome{}, err
	}
	return Outcome{Learning: l}, observe(ctx, tx, seq, o)
}

// add inserts a new learning, and fills in the optional fields that it does not set.
func add(ctx context.Context, tx conn, l *learning.Learning, at time.Time) (seq int64, err error) {
	l.Observations = max(l.Observations, 1)
	if l.Created.IsZero() {
		l.Created = at
	}
	if l.Updated.IsZero() {
		l.Updated = at
	}
	if len(l.Keywords) == 0 {
		l.Keywords = learning.Keywords(l.Name, l.Description, l.Reasoning)
	}
	return writeRow(ctx, tx, nil, *l)
}

// equal returns the learning of a repository, or the global one, that says the same as l; nil if there
// is none. It prefers one with the same Project as l.
func (c conn) equal(ctx context.Context, l learning.Learning, project string) (*learningRow, error) {
	rows, err := c.learnings(ctx, `WHERE (e.id = @id OR e.folded = @folded) AND `+visible+`
		ORDER BY coalesce(e.source_project, '') <> @own, e.id <> @id LIMIT 1`,
		params{"id": l.ID, "folded": folded(l.Description), "everywhere": false, "project": project, "own": l.Project})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

// storable returns a learning with clean texts, times in UTC and its id. The error comes from ValidateFields.
func storable(l learning.Learning) (learning.Learning, error) {
	for _, s := range []*string{&l.Name, &l.Description, &l.Reasoning} {
		*s = inert.Clean(*s)
	}
	l.Keywords, l.References = cleanList(l.Keywords), cleanList(l.References)
	for _, at := range []*time.Time{&l.Created, &l.Updated, &l.LastRecalled, &l.LastUsed} {
		*at = at.UTC().Truncate(time.Second)
	}
	l.ID = learning.ID(l.Description)
	return l, l.ValidateFields()
}

// cleanList returns the cleaned items, without empty ones.
func cleanList(list []string) (clean []string) {
	for _, s := range list {
		if s = inert.Clean(s); s != "" {
			clean = append(clean, s)
		}
	}
	return clean
}

func observe(ctx context.Context, tx conn, seq int64, o Observation) error {
	return tx.exec(ctx, `INSERT INTO observations (entry, session, at) VALUES (@entry, @session, @at)`,
		params{"entry": seq, "session": o.Session, "at": o.At})
}

// reinforce records one more observation of a known learning.
func reinforce(ctx context.Context, tx conn, known learningRow, again learning.Learning, o Observation) (Outcome, error) {
	l := known.Learning
	repeats, err := tx.get(ctx, `SELECT 1 FROM observations WHERE entry = @entry AND session = @session AND session <> ''`,
		params{"entry": known.seq, "session": o.Session}, new(int))
	if err != nil {
		return Outcome{}, err
	}
	l.Confidence = learning.Reinforce(l, !repeats)
	l.Observations++
	l.Updated = later(l.Updated, o.At)
	l.Keywords, l.References = learning.Union(l.Keywords, again.Keywords), learning.Union(l.References, again.References)
	if strings.TrimSpace(l.Reasoning) == "" {
		l.Reasoning = again.Reasoning
	}
	if o.Vetted {
		l.Confidence = learning.Vet(l)
	}
	if again.Project == "" {
		l.Project = ""
	}
	if _, err := writeRow(ctx, tx, known.seq, l); err != nil {
		return Outcome{}, err
	}
	return Outcome{Learning: l, Reinforced: true}, observe(ctx, tx, known.seq, o)
}

// Imported lists the learnings that were added, and those that were skipped because the user had forgotten them.
type Imported struct{ Added, Forgotten []learning.Learning }

// Import adds learnings as they are, with their counts and times. Known learnings are left unchanged, and those that
// were forgotten, in the same repository or everywhere, stay forgotten. If Put would refuse one, nothing is imported.
func (s *Store) Import(ctx context.Context, all []learning.Learning, at time.Time) (done Imported, err error) {
	err = s.write(ctx, func(tx conn) error {
		for _, l := range all {
			l, err := storable(l)
			if err != nil {
				return err
			}
			known, err := tx.equal(ctx, l, l.Project)
			if err != nil {
				return err
			}
			if known != nil {
				continue
			}
			forgotten, err := tx.get(ctx, `SELECT 1 FROM forgotten WHERE folded = @folded AND project IN ('', @project)`,
				params{"folded": folded(l.Description), "project": l.Project}, new(int))
			if err != nil {
				return err
			}
			if forgotten {
				done.Forgotten = append(done.Forgotten, l)
				continue
			}
			if _, err := add(ctx, tx, &l, storedTime(at)); err != nil {
				return err
			}
			done.Added = append(done.Added, l)
		}
		return nil
	})
	if err != nil {
		done = Imported{}
	}
	return done, s.wrap("import learnings", err)
}
