package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"whence/internal/learning"
)

// Change is a learning as it is stored now, or the id of a deleted one.
type Change struct {
	learning.Learning
	Forgotten bool
	Revision  int64 // later changes have higher ones
}

// maxChanges is the default of Filter.Most for Changes.
const maxChanges = 1000

// Changes returns what has changed after a revision, 0 for all: of each learning the last change, in
// the order of revisions. f.Most limits their number; f.Retired does not matter, for copies have
// retired learnings too.
func (s *Store) Changes(ctx context.Context, f Filter, after int64) ([]Change, error) {
	if f.Most <= 0 {
		f.Most = maxChanges
	}
	all, err := s.changes(ctx, f, after)
	return all[:min(len(all), f.Most)], wrap("read changes", s.explained(err))
}

func (s *Store) changes(ctx context.Context, f Filter, after int64) (all []Change, err error) {
	f.Retired = true
	where, arguments := f.where()
	// What is committed between the queries is for the next call.
	var latest, latestForgotten int64
	if _, err := s.conn.get(ctx, `SELECT coalesce((SELECT max(revision) FROM entries), 0), coalesce((SELECT max(revision) FROM forgotten), 0)`, nil, &latest, &latestForgotten); err != nil {
		return nil, err
	}
	arguments = append(arguments, after, max(latest, latestForgotten), f.Most)
	all, err = Collect(ctx, s.conn, func(row Scanner) (c Change, err error) {
		l, err := scanLearning(row, &c.Revision)
		c.Learning = l.Learning
		return c, err
	}, `SELECT `+learningColumns+`, e.revision FROM entries e `+where+` AND e.revision > $6 AND e.revision <= $7 ORDER BY e.revision LIMIT $8`, arguments...)
	if err != nil {
		return nil, err
	}
	// A learning that was stored again, or now belongs to another repository, is deleted only for this filter.
	forgotten, err := Collect(ctx, s.conn, func(row Scanner) (Change, error) {
		c := Change{Forgotten: true}
		err := row.Scan(&c.ID, &c.Personal, &c.Revision)
		return c, err
	}, `SELECT g.id, g.personal, g.revision FROM forgotten g WHERE NOT EXISTS (SELECT 1 FROM entries e `+where+` AND e.id = g.id AND e.personal = g.personal)
		AND g.revision > $6 AND g.revision <= $7 ORDER BY g.revision LIMIT $8`, arguments...)
	all = append(all, forgotten...)
	slices.SortStableFunc(all, func(a, b Change) int { return cmp.Compare(a.Revision, b.Revision) })
	return all, err
}

// Replace updates a copy: learnings are stored as they are, with counts and times, in place of those
// with the same id or words, and deleted ones are deleted.
func (s *Store) Replace(ctx context.Context, all []Change) error {
	err := s.write(ctx, LearningsLock, func(tx Conn) error {
		for _, c := range all {
			if err := replace(ctx, tx, c); err != nil {
				return fmt.Errorf("%s: %w", c.ID, err)
			}
		}
		return nil
	})
	return wrap("store changes", err)
}

func replace(ctx context.Context, tx Conn, c Change) error {
	if c.Forgotten {
		var seq int64
		known, err := tx.get(ctx, `SELECT seq FROM entries WHERE id = $1 AND personal = $2`, []any{c.ID, c.Personal}, &seq)
		if err != nil || !known {
			return err
		}
		return remove(ctx, tx, seq, c.Learning)
	}
	l, err := storable(c.Learning)
	if err != nil {
		return err
	}
	seq, err := tx.sameSeq(ctx, l.ID, folded(l.Description), idFirst)
	if err != nil {
		return err
	}
	if seq == 0 {
		_, err := insert(ctx, tx, &l, Observation{At: l.Updated}.stored())
		return err
	}
	before, err := tx.learning(ctx, seq)
	if err != nil {
		return err
	}
	return updateAll(ctx, tx, seq, l, embeddedText(before.Learning))
}
