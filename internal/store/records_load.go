package store

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"whence/internal/learning"
	"whence/internal/text"
)

// Loaded counts what Load did.
type Loaded struct {
	Learnings      int `json:"learnings"`
	KnownLearnings int `json:"known_learnings"` // of these, what was there already
	Turns          int `json:"turns"`           // that are kept
	KnownTurns     int `json:"known_turns"`
}

// Add counts more.
func (l *Loaded) Add(more Loaded) {
	l.Learnings += more.Learnings
	l.KnownLearnings += more.KnownLearnings
	l.Turns += more.Turns
	l.KnownTurns += more.KnownTurns
}

// Load stores records of another store: learnings, with their links, in one transaction,
// sessions in another. To do it again changes nothing, nor does it matter where it was
// interrupted.
//
// A learning that is known, by its id or its words, keeps its texts; what is known of it in
// both stores is joined (merge). A turn whose UUID is known stays as it is, or gone, if it was
// deleted here. The turns of a session are in the order of both stores. Everything that was
// here stays, except answers that the turns holding them replace.
func (s *Store) Load(ctx context.Context, r Records) (loaded Loaded, err error) {
	if len(r.Learnings)+len(r.Links) > 0 {
		err = s.write(ctx, Learnings, func(tx Conn) error {
			loaded.Learnings = len(r.Learnings)
			if loaded.KnownLearnings, err = loadLearnings(ctx, tx, r.Learnings); err != nil {
				return err
			}
			return loadLinks(ctx, tx, r.Links)
		})
	}
	if err == nil && len(r.Sessions) > 0 {
		err = s.write(ctx, Turns, func(tx Conn) error {
			loaded.Turns, loaded.KnownTurns, err = loadSessions(ctx, tx, r.Sessions)
			return err
		})
	}
	if err != nil {
		return Loaded{}, fmt.Errorf("store records: %w", err)
	}
	return loaded, nil
}

// Known tells what Load would do, and does nothing.
func (s *Store) Known(ctx context.Context, r Records) (loaded Loaded, err error) {
	fail := func(err error) (Loaded, error) {
		return Loaded{}, fmt.Errorf("compare records: %w", s.explained(err))
	}
	if loaded.Learnings = len(r.Learnings); loaded.Learnings > 0 {
		here, err := knownLearnings(ctx, s.conn, r.Learnings)
		if err != nil {
			return fail(err)
		}
		for _, l := range r.Learnings {
			if here.find(refOf(l.Learning)) != nil {
				loaded.KnownLearnings++
			}
		}
	}
	for _, session := range r.Sessions {
		here, err := knownTurns(ctx, s.conn, session.Turns)
		if err != nil {
			return fail(err)
		}
		n, known := countKept(session, here)
		loaded.Turns, loaded.KnownTurns = loaded.Turns+n, loaded.KnownTurns+known
	}
	return loaded, nil
}

// here are learnings of this store that others may be equal to.
type here struct {
	rows           []*recordedRow
	byID, byFolded map[string]*recordedRow
}

func (h *here) add(row *recordedRow) {
	h.rows = append(h.rows, row)
	h.byID[row.ID] = row
	if f := folded(row.Description); h.byFolded[f] == nil || h.byFolded[f].Personal {
		h.byFolded[f] = row
	}
}

// find is the learning that says the same; nil if there is none. As where one is stored,
// what others see too goes before what is personal.
func (h *here) find(r Ref) *recordedRow {
	byID, byFolded := h.byID[r.ID], h.byFolded[r.Folded]
	if byID == nil || byFolded != nil && byID.Personal && !byFolded.Personal {
		return byFolded
	}
	return byID
}

// refOf is a learning as other stores name it.
func refOf(l learning.Learning) Ref {
	return Ref{learning.ID(text.Clean(l.Description)), folded(text.Clean(l.Description))}
}

// knownLearnings reads those that any of some learnings may be equal to.
func knownLearnings(ctx context.Context, c Conn, all []Recorded) (*here, error) {
	ids, folds := make([]string, len(all)), make([]string, len(all))
	for i, l := range all {
		ref := refOf(l.Learning)
		ids[i], folds[i] = ref.ID, ref.Folded
	}
	known := &here{byID: map[string]*recordedRow{}, byFolded: map[string]*recordedRow{}}
	rows, err := readRecorded(ctx, c, `WHERE e.id `+c.engine.AnyOf(1)+` OR e.folded `+c.engine.AnyOf(2)+` ORDER BY e.seq`, c.engine.List(ids), c.engine.List(folds))
	for i := range rows {
		known.add(&rows[i])
	}
	return known, err
}

func loadLearnings(ctx context.Context, tx Conn, all []Recorded) (known int, err error) {
	if len(all) == 0 {
		return 0, nil
	}
	here, err := knownLearnings(ctx, tx, all)
	if err != nil {
		return 0, err
	}
	for _, r := range all {
		if r.Learning, err = storable(r.Learning); err != nil {
			return 0, fmt.Errorf("%q (id: %s) cannot be stored, edit or forget it where it is: %w", r.Name, r.ID, err)
		}
		row := here.find(refOf(r.Learning))
		if row == nil {
			added, err := addRecorded(ctx, tx, r)
			if err != nil {
				return 0, fmt.Errorf("%q: %w", r.Name, err)
			}
			here.add(added)
			continue
		}
		known++
		if err := join(ctx, tx, row, r); err != nil {
			return 0, fmt.Errorf("%q: %w", r.Name, err)
		}
	}
	return known, nil
}

// addRecorded stores a learning that is not known, as it is.
func addRecorded(ctx context.Context, tx Conn, r Recorded) (*recordedRow, error) {
	r.Created, r.Updated = moment(r.Created), moment(r.Updated)
	seq, err := insertRow(ctx, tx, &r.Learning)
	if err != nil {
		return nil, err
	}
	if r.Found > 0 {
		if _, err := tx.ExecContext(ctx, `UPDATE entries SET search_count = $1 WHERE seq = $2`, r.Found, seq); err != nil {
			return nil, err
		}
	}
	return &recordedRow{seq, r}, addKnowledge(ctx, tx, seq, r.Observed, r.Said)
}

// addKnowledge stores what was observed and said of a learning.
func addKnowledge(ctx context.Context, tx Conn, seq int64, observed []Observation, said []Feedback) error {
	for _, o := range observed {
		if err := observe(ctx, tx, seq, o.stored()); err != nil {
			return err
		}
	}
	for _, f := range said {
		if _, err := tx.ExecContext(ctx, `INSERT INTO feedback (entry, verdict, reason, session, at) VALUES ($1, $2, $3, $4, $5)`,
			seq, string(f.Verdict), f.Reason, f.Session, timeText(moment(f.At))); err != nil {
			return err
		}
	}
	return nil
}

// join brings what another store knows of a learning together with what is known here.
func join(ctx context.Context, tx Conn, row *recordedRow, r Recorded) error {
	m := merge(row.Recorded, r)
	if err := addKnowledge(ctx, tx, row.seq, m.Observed[len(row.Observed):], m.Said[len(row.Said):]); err != nil {
		return err
	}
	if !reflect.DeepEqual(m.Learning, row.Learning) || m.Found != row.Found {
		if err := update(ctx, tx, row.seq, m.Learning, embeddedText(row.Learning)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE entries SET recall_count = $1, last_recalled_at = $2, search_count = $3, created_at = $4 WHERE seq = $5`,
			m.Recalls, timeText(m.LastRecalled), m.Found, timeText(moment(m.Created)), row.seq); err != nil {
			return err
		}
	}
	row.Recorded = m
	return nil
}

func loadLinks(ctx context.Context, tx Conn, links []Link) error {
	find := func(r Ref) (seq int64, err error) {
		err = tx.QueryRowContext(ctx, `SELECT coalesce((SELECT seq FROM entries WHERE id = $1 OR folded = $2 ORDER BY personal, id <> $1 LIMIT 1), 0)`, r.ID, r.Folded).Scan(&seq)
		return seq, err
	}
	for _, l := range links {
		of, err := find(l.Of)
		contradicts, second := find(l.Contradicts)
		if err := errors.Join(err, second); err != nil {
			return err
		}
		if of == 0 || contradicts == 0 || of == contradicts { // forgotten meanwhile
			continue
		}
		var known bool
		if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM links WHERE entry = $1 AND contradicts = $2 OR entry = $2 AND contradicts = $1)`, of, contradicts).Scan(&known); err != nil {
			return err
		}
		if known {
			continue
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO links (entry, contradicts, at) VALUES ($1, $2, $3)`, of, contradicts, timeText(moment(l.At))); err != nil {
			return err
		}
	}
	return nil
}
