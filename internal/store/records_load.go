package store

import (
	"context"
	"fmt"
	"reflect"

	"whence/internal/learning"
	"whence/internal/text"
)

// Loaded counts what Load did.
type Loaded struct {
	Learnings      int `json:"learnings"`
	KnownLearnings int `json:"known_learnings"` // of Learnings
	Turns          int `json:"turns"`           // stored ones
	KnownTurns     int `json:"known_turns"`     // of Turns
}

// Add adds other counts.
func (l *Loaded) Add(other Loaded) {
	l.Learnings += other.Learnings
	l.KnownLearnings += other.KnownLearnings
	l.Turns += other.Turns
	l.KnownTurns += other.KnownTurns
}

// Load stores records of another store: learnings in one transaction, sessions in
// another. It may be interrupted and repeated.
//
// A learning known by its id or words keeps its texts; counts and observations of both are
// merged. A turn whose UUID is known stays as it is, or deleted. The turns of a session keep
// the order of both stores. Nothing is removed, except answers that turns replace.
func (s *Store) Load(ctx context.Context, r Records) (loaded Loaded, err error) {
	if len(r.Learnings) > 0 {
		err = s.write(ctx, LearningsLock, func(tx Conn) error {
			loaded.Learnings = len(r.Learnings)
			loaded.KnownLearnings, err = loadLearnings(ctx, tx, r.Learnings)
			return err
		})
	}
	if err == nil && len(r.Sessions) > 0 {
		err = s.write(ctx, TurnsLock, func(tx Conn) error {
			loaded.Turns, loaded.KnownTurns, err = loadSessions(ctx, tx, r.Sessions)
			return err
		})
	}
	if err != nil {
		return Loaded{}, fmt.Errorf("store records: %w", err)
	}
	return loaded, nil
}

// Known returns what Load would, and changes nothing.
func (s *Store) Known(ctx context.Context, r Records) (loaded Loaded, err error) {
	loaded, err = s.known(ctx, r)
	return loaded, wrap("compare records", s.explained(err))
}

func (s *Store) known(ctx context.Context, r Records) (loaded Loaded, err error) {
	loaded.Learnings = len(r.Learnings)
	known, err := s.conn.knownLearnings(ctx, r.Learnings)
	if err != nil {
		return loaded, err
	}
	for _, l := range r.Learnings {
		if known.find(l.Learning) != nil {
			loaded.KnownLearnings++
		}
	}
	for _, session := range r.Sessions {
		uuids, err := s.conn.knownTurns(ctx, session.Turns)
		if err != nil {
			return loaded, err
		}
		stored, known := countKept(session, uuids)
		loaded.Turns, loaded.KnownTurns = loaded.Turns+stored, loaded.KnownTurns+known
	}
	return loaded, nil
}

// knownLearnings are the learnings of this store that others may be equal to.
type knownLearnings struct {
	byID, byFolded map[string]*recordedRow
}

func (k knownLearnings) add(row *recordedRow) {
	k.byID[row.ID] = row
	if f := folded(row.Description); k.byFolded[f] == nil || k.byFolded[f].Personal {
		k.byFolded[f] = row
	}
}

// find returns the learning that says the same, or nil. A shared learning comes before a personal one.
func (k knownLearnings) find(l learning.Learning) *recordedRow {
	description := text.Clean(l.Description)
	byID, byFolded := k.byID[learning.ID(description)], k.byFolded[folded(description)]
	if byID == nil || byFolded != nil && byID.Personal && !byFolded.Personal {
		return byFolded
	}
	return byID
}

func (c Conn) knownLearnings(ctx context.Context, all []Recorded) (knownLearnings, error) {
	known := knownLearnings{byID: map[string]*recordedRow{}, byFolded: map[string]*recordedRow{}}
	if len(all) == 0 {
		return known, nil
	}
	ids, folds := make([]string, len(all)), make([]string, len(all))
	for i, l := range all {
		description := text.Clean(l.Description)
		ids[i], folds[i] = learning.ID(description), folded(description)
	}
	rows, err := c.readRecorded(ctx, `WHERE e.id `+c.engine.AnyOf(1)+` OR e.folded `+c.engine.AnyOf(2)+` ORDER BY e.seq`, c.engine.List(ids), c.engine.List(folds))
	for i := range rows {
		known.add(&rows[i])
	}
	return known, err
}

func loadLearnings(ctx context.Context, tx Conn, all []Recorded) (n int, err error) {
	known, err := tx.knownLearnings(ctx, all)
	if err != nil {
		return 0, err
	}
	for _, r := range all {
		if r.Learning, err = storable(r.Learning); err != nil {
			return 0, fmt.Errorf("%q (id: %s) cannot be stored, edit or forget it where it is: %w", r.Name, r.ID, err)
		}
		row := known.find(r.Learning)
		if row == nil {
			if row, err = addRecorded(ctx, tx, r); err == nil {
				known.add(row)
			}
		} else {
			n++
			err = mergeRecorded(ctx, tx, row, r)
		}
		if err != nil {
			return 0, fmt.Errorf("%q: %w", r.Name, err)
		}
	}
	return n, nil
}

// addRecorded stores a new learning as it is.
func addRecorded(ctx context.Context, tx Conn, r Recorded) (*recordedRow, error) {
	r.Created, r.Updated = storedTime(r.Created), storedTime(r.Updated)
	seq, err := insertRow(ctx, tx, r.Learning)
	if err != nil {
		return nil, err
	}
	return &recordedRow{seq, r}, addHistory(ctx, tx, seq, r.Found, r.Observed)
}

// mergeRecorded merges a learning of another store into a row.
func mergeRecorded(ctx context.Context, tx Conn, row *recordedRow, r Recorded) error {
	m := merge(row.Recorded, r)
	if !reflect.DeepEqual(m.Learning, row.Learning) || m.Found != row.Found {
		if err := updateAll(ctx, tx, row.seq, m.Learning, embeddedText(row.Learning)); err != nil {
			return err
		}
	}
	if err := addHistory(ctx, tx, row.seq, m.Found, m.Observed[len(row.Observed):]); err != nil {
		return err
	}
	row.Recorded = m
	return nil
}

// addHistory adds observations to a row, and sets how often it was found.
func addHistory(ctx context.Context, tx Conn, seq int64, found int, observed []Observation) error {
	if found > 0 {
		if err := tx.exec(ctx, `UPDATE entries SET search_count = $1 WHERE seq = $2 AND search_count <> $1`, found, seq); err != nil {
			return err
		}
	}
	for _, o := range observed {
		if err := observe(ctx, tx, seq, o.stored()); err != nil {
			return err
		}
	}
	return nil
}
