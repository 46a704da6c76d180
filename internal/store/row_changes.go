package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"whence/internal/learning"
)

// Change is a learning as it is stored now, or the id of one that is gone.
type Change struct {
	learning.Learning
	Forgotten bool
	Revision  int64 // later changes have higher ones
}

// Changes returns what has changed after a revision, 0 for all, in the order of the
// changes: of each learning the last one. Most of the filter counts them; Retired does not
// matter, for a copy has these too.
func (s *Store) Changes(ctx context.Context, f Filter, after int64) (all []Change, err error) {
	if f.Most <= 0 {
		f.Most = maxRecords
	}
	f.Retired = true
	where, arguments := f.where()
	// What is committed between the two queries is for the next time.
	var latest, until int64
	if err := s.conn.QueryRowContext(ctx, `SELECT coalesce((SELECT max(revision) FROM entries), 0), coalesce((SELECT max(revision) FROM forgotten), 0)`).Scan(&latest, &until); err != nil {
		return nil, fmt.Errorf("read changes: %w", s.explained(err))
	}
	until = max(until, latest)
	rows, err := s.conn.QueryContext(ctx, `SELECT `+Columns+`, e.revision FROM entries e `+where+` AND e.revision > $6 AND e.revision <= $7 ORDER BY e.revision LIMIT $8`, append(arguments, after, until, f.Most)...)
	if err != nil {
		return nil, fmt.Errorf("read changes: %w", s.explained(err))
	}
	for rows.Next() && err == nil {
		var c Change
		_, c.Learning, err = scan(rows, &c.Revision)
		all = append(all, c)
	}
	if err := errors.Join(err, rows.Err(), rows.Close()); err != nil {
		return nil, fmt.Errorf("read changes: %w", s.explained(err))
	}
	// One that is there again, or in another repository, is gone for this filter alone.
	gone, err := s.conn.QueryContext(ctx, `SELECT g.id, g.personal, g.revision FROM forgotten g WHERE NOT EXISTS (SELECT 1 FROM entries e `+where+` AND e.id = g.id AND e.personal = g.personal)
		AND g.revision > $6 AND g.revision <= $7 ORDER BY g.revision LIMIT $8`, append(slices.Clip(arguments), after, until, f.Most)...)
	if err != nil {
		return nil, fmt.Errorf("read changes: %w", s.explained(err))
	}
	for gone.Next() && err == nil {
		c := Change{Forgotten: true}
		err = gone.Scan(&c.ID, &c.Personal, &c.Revision)
		all = append(all, c)
	}
	if err := errors.Join(err, gone.Err(), gone.Close()); err != nil {
		return nil, fmt.Errorf("read changes: %w", s.explained(err))
	}
	slices.SortStableFunc(all, func(a, b Change) int { return cmp.Compare(a.Revision, b.Revision) })
	return all[:min(len(all), f.Most)], nil
}

// maxRecords is how many changes are read at once where no number is asked for.
const maxRecords = 1000

// Replace brings a copy up to date: learnings are stored as they are, with their counts and
// times, in the place of those with the same id or words, and what is gone is deleted.
func (s *Store) Replace(ctx context.Context, all []Change) error {
	err := s.write(ctx, Learnings, func(tx Conn) error {
		for _, c := range all {
			if err := replace(ctx, tx, c); err != nil {
				return fmt.Errorf("%s: %w", c.ID, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("store changes: %w", err)
	}
	return nil
}

func replace(ctx context.Context, tx Conn, c Change) error {
	var seq int64
	if c.Forgotten {
		err := tx.QueryRowContext(ctx, `SELECT seq FROM entries WHERE id = $1 AND personal = $2`, c.ID, c.Personal).Scan(&seq)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return remove(ctx, tx, seq, c.Learning)
	}
	l, err := storable(c.Learning)
	if err != nil {
		return err
	}
	err = tx.QueryRowContext(ctx, `SELECT seq FROM entries WHERE id = $1 OR folded = $2 ORDER BY id <> $3 LIMIT 1`, l.ID, folded(l.Description), l.ID).Scan(&seq)
	if errors.Is(err, sql.ErrNoRows) {
		_, err := insert(ctx, tx, &l, Observation{At: l.Updated}.stored())
		return err
	}
	if err != nil {
		return err
	}
	_, before, err := scan(tx.QueryRowContext(ctx, `SELECT `+Columns+` FROM entries e WHERE seq = $1`, seq))
	if err != nil {
		return err
	}
	if err := update(ctx, tx, seq, l, embeddedText(before)); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE entries SET source = $1, recall_count = $2, last_recalled_at = $3, created_at = $4 WHERE seq = $5`,
		string(l.Source), l.Recalls, timeText(l.LastRecalled), timeText(l.Created), seq)
	return err
}
