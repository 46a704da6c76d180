package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"whence/internal/learning"
)

// Errors of what names one learning.
var (
	ErrUnknown   = errors.New("no learning has this id or name")
	ErrAmbiguous = errors.New("more than one learning has this name: use the id")
	ErrTaken     = errors.New("another learning has this description already: edit or forget one of them")
)

// lookup finds a learning by its id, the beginning of its id (4 characters or more) if
// no other begins so, or its name, case ignored.
func lookup(ctx context.Context, r reader, name string) (seq int64, l learning.Learning, err error) {
	rows, err := r.q.QueryContext(ctx, `SELECT `+columns+` FROM entries e
		WHERE e.id = ? OR e.name = ? COLLATE NOCASE OR length(?) >= 4 AND substr(e.id, 1, length(?)) = ?
		ORDER BY e.id = ? DESC, e.name = ? COLLATE NOCASE DESC LIMIT 2`, name, name, name, name, name, name, name)
	if err != nil {
		return 0, l, err
	}
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ {
		seq2, l2, err := scan(rows)
		switch {
		case err != nil:
			return 0, l, err
		case n == 0:
			seq, l = seq2, l2
		case l.ID != name && (strings.EqualFold(l.Name, name) == strings.EqualFold(l2.Name, name)):
			return 0, l, fmt.Errorf("%q: %w", name, ErrAmbiguous)
		}
	}
	if err := rows.Err(); err != nil {
		return 0, l, err
	}
	if n == 0 {
		return 0, l, fmt.Errorf("%q: %w", name, ErrUnknown)
	}
	return seq, l, nil
}

// Detail is a learning with what is known about it.
type Detail struct {
	learning.Learning
	Sessions    int // in which it was observed
	Feedback    []Feedback
	Contradicts []learning.Learning // and those that contradict it
}

// Verdict is what somebody says of a learning.
type Verdict string

// The verdicts.
const (
	Helped   Verdict = "helped"
	Wrong    Verdict = "wrong"
	Outdated Verdict = "outdated"
)

// ParseVerdict reads a verdict.
func ParseVerdict(text string) (Verdict, error) {
	if v := Verdict(text); slices.Contains([]Verdict{Helped, Wrong, Outdated}, v) {
		return v, nil
	}
	return "", fmt.Errorf("unknown verdict %q: use helped, wrong or outdated", text)
}

// Feedback is a verdict with its reason.
type Feedback struct {
	Verdict Verdict
	Reason  string
	Session string
	At      time.Time
}

// Get returns one learning, by id or name. The error is ErrUnknown or ErrAmbiguous where
// there is not exactly one.
func (s *Store) Get(ctx context.Context, name string) (d Detail, err error) {
	r := reader{s.db}
	seq, l, err := lookup(ctx, r, name)
	if err != nil {
		return d, err
	}
	d.Learning = l
	if err := s.db.QueryRowContext(ctx, `SELECT count(DISTINCT nullif(session, '')) FROM observations WHERE entry = ?`, seq).Scan(&d.Sessions); err != nil {
		return d, err
	}
	rows, err := s.db.QueryContext(ctx, `SELECT verdict, reason, session, at FROM feedback WHERE entry = ? ORDER BY at, rowid`, seq)
	if err != nil {
		return d, err
	}
	for rows.Next() {
		var f Feedback
		var at sql.NullString
		if err := rows.Scan(&f.Verdict, &f.Reason, &f.Session, &at); err != nil {
			return d, errors.Join(err, rows.Close())
		}
		f.At = parseTime(at)
		d.Feedback = append(d.Feedback, f)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return d, err
	}
	d.Contradicts, err = s.query(ctx, `WHERE e.seq IN (SELECT contradicts FROM links WHERE entry = ?1 UNION SELECT entry FROM links WHERE contradicts = ?1) ORDER BY e.seq`, seq)
	return d, err
}

// query reads learnings.
func (s *Store) query(ctx context.Context, rest string, arguments ...any) (found []learning.Learning, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT `+columns+` FROM entries e `+rest, arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		_, l, err := scan(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, l)
	}
	return found, rows.Err()
}

// change runs a transaction on one learning, by id or name.
func (s *Store) change(ctx context.Context, name string, run func(*sql.Tx, int64, *learning.Learning) error) (changed learning.Learning, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		seq, l, err := lookup(ctx, reader{tx}, name)
		if err != nil {
			return err
		}
		err = run(tx, seq, &l)
		changed = l
		return err
	})
	return changed, err
}

// Forget deletes a learning, by id or name, and returns it as it was.
func (s *Store) Forget(ctx context.Context, name string) (learning.Learning, error) {
	return s.change(ctx, name, func(tx *sql.Tx, seq int64, l *learning.Learning) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM entries WHERE seq = ?`, seq)
		return err
	})
}

// Say records feedback on a learning, by id or name. Helped counts as use; Wrong and
// Outdated retire the learning, with the reason: it is kept, and no longer found.
func (s *Store) Say(ctx context.Context, name string, f Feedback) (learning.Learning, error) {
	if _, err := ParseVerdict(string(f.Verdict)); err != nil {
		return learning.Learning{}, err
	}
	return s.change(ctx, name, func(tx *sql.Tx, seq int64, l *learning.Learning) error {
		if f.Verdict == Helped {
			l.Influence++
			l.LastUsed = f.At
			l.Retired = ""
		} else {
			l.Retired = string(f.Verdict)
			if f.Reason != "" {
				l.Retired += ": " + f.Reason
			}
		}
		if err := update(ctx, tx, seq, *l); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO feedback (entry, verdict, reason, session, at) VALUES (?, ?, ?, ?, ?)`, seq, string(f.Verdict), f.Reason, f.Session, timeText(f.At))
		return err
	})
}

// Edit changes a learning, by id or name. Its id follows a new description; that of
// another learning is an error, and nothing changes.
func (s *Store) Edit(ctx context.Context, name string, at time.Time, edit func(*learning.Learning) error) (learning.Learning, error) {
	return s.change(ctx, name, func(tx *sql.Tx, seq int64, l *learning.Learning) error {
		before := *l
		if err := edit(l); err != nil {
			return err
		}
		l.ID = learning.ID(l.Description)
		var other string
		err := tx.QueryRowContext(ctx, `SELECT name FROM entries WHERE id = ? AND seq != ?`, l.ID, seq).Scan(&other)
		if err == nil {
			return fmt.Errorf("%q: %w", other, ErrTaken)
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if l.Description != before.Description || l.Name != before.Name || l.Reasoning != before.Reasoning {
			l.Keywords = learning.Keywords(l.Name, l.Description, l.Reasoning)
			if _, err := tx.ExecContext(ctx, `UPDATE entries SET embedding = NULL WHERE seq = ?`, seq); err != nil {
				return err
			}
		}
		l.Updated = at
		return update(ctx, tx, seq, *l)
	})
}

// Recalled counts that learnings were put before an agent.
func (s *Store) Recalled(ctx context.Context, ids []string, at time.Time) error {
	return s.count(ctx, `UPDATE entries SET recall_count = recall_count + 1, last_recalled_at = ? WHERE id = ?`, ids, at)
}

// Found counts that learnings were returned by a search that an agent or user made: they
// were asked for, which is use.
func (s *Store) Found(ctx context.Context, ids []string, at time.Time) error {
	return s.count(ctx, `UPDATE entries SET search_count = search_count + 1, last_used_at = ? WHERE id = ?`, ids, at)
}

func (s *Store) count(ctx context.Context, statement string, ids []string, at time.Time) error {
	if len(ids) == 0 {
		return nil
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		for _, id := range ids {
			if _, err := tx.ExecContext(ctx, statement, timeText(at), id); err != nil {
				return err
			}
		}
		return nil
	})
}
