package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"whence/internal/learning"
)

// Errors of methods that take the id or name of a learning.
var (
	ErrUnknown   = errors.New("no learning has this id or name")
	ErrAmbiguous = errors.New("more than one learning has this name: use the id")
	ErrTaken     = errors.New("another learning has this description already: edit or forget one of them")
	// ErrForbidden reports that a login may not write: it is a reader, or has left the team.
	ErrForbidden = errors.New("this login may not do that in this team")
	// ErrOthers reports that the learning belongs to a colleague, so that it can be read but not deleted.
	ErrOthers = errors.New("it is a colleague's: ask them, or an administrator of the team, to delete it")
	// ErrAmbiguousID is an ErrAmbiguous.
	ErrAmbiguousID = ambiguous("more than one learning has an id that begins so: use more of it")
)

type ambiguous string

func (e ambiguous) Error() string        { return string(e) }
func (e ambiguous) Is(target error) bool { return target == ErrAmbiguous }

// minPrefixChars is the minimum length of the beginning of an id.
const minPrefixChars = 4

// lookup finds a learning of a scope by its id, else by its name, ignoring the case of A to Z, else by
// the unambiguous beginning of its id. One of another project is unknown, like one that does not
// exist: an id is the hash of a text, so anyone can guess it. Each query has an index.
func (c Conn) lookup(ctx context.Context, in Scope, name string) (learningRow, error) {
	l, err := c.lookupBy(ctx, in, `e.id = $1`, name, ErrAmbiguous)
	if errors.Is(err, ErrUnknown) {
		l, err = c.lookupBy(ctx, in, c.engine.LowerName()+` = $1`, lowerASCII(name), ErrAmbiguous)
	}
	prefix := strings.ToLower(name)
	if errors.Is(err, ErrUnknown) && len(prefix) >= minPrefixChars && strings.Trim(prefix, "0123456789abcdef") == "" {
		l, err = c.lookupBy(ctx, in, `e.id >= $1 AND e.id < $1 || 'g'`, prefix, ErrAmbiguousID)
	}
	if errors.Is(err, ErrUnknown) || errors.Is(err, ErrAmbiguous) {
		err = fmt.Errorf("%q: %w", name, err)
	}
	return l, err
}

// lookupBy returns the learning of a scope that meets a condition. Of two rows with one id, which a
// login and a colleague have each stored, the personal one counts.
func (c Conn) lookupBy(ctx context.Context, in Scope, condition, argument string, several error) (l learningRow, err error) {
	rows, err := c.learnings(ctx, `WHERE `+condition+` AND `+visible(2)+` ORDER BY e.personal DESC LIMIT 3`, argument, in.Everything, in.Project)
	if err != nil {
		return l, err
	}
	if len(rows) == 0 {
		return l, ErrUnknown
	}
	if slices.ContainsFunc(rows, func(other learningRow) bool { return other.ID != rows[0].ID }) {
		return l, several
	}
	return rows[0], nil
}

// visible returns the condition that a learning belongs to a scope, whose Everything and Project are
// the arguments from number n on.
func visible(n int) string {
	return fmt.Sprintf(`($%d OR e.source_project IS NULL OR e.source_project = $%d)`, n, n+1)
}

// lowerASCII returns a name with the letters A to Z in lower case.
func lowerASCII(name string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, name)
}

// Detail is a learning with everything that is known about it.
type Detail struct {
	learning.Learning
	Sessions int // in which it was observed
}

// Get returns the learning of a scope with an id or name. The error is ErrUnknown or ErrAmbiguous if
// there is not exactly one.
func (s *Store) Get(ctx context.Context, in Scope, name string) (Detail, error) {
	d, err := s.get(ctx, in, name)
	return d, s.explained(err)
}

func (s *Store) get(ctx context.Context, in Scope, name string) (d Detail, err error) {
	row, err := s.conn.lookup(ctx, in, name)
	if err != nil {
		return d, err
	}
	d.Learning = row.Learning
	_, err = s.conn.get(ctx, `SELECT count(DISTINCT nullif(session, '')) FROM observations WHERE entry = $1`, []any{row.seq}, &d.Sessions)
	return d, err
}

// list reads learnings; the clauses follow FROM entries e.
func (s *Store) list(ctx context.Context, clauses string, arguments ...any) ([]learning.Learning, error) {
	rows, err := s.conn.learnings(ctx, clauses, arguments...)
	var found []learning.Learning
	for _, row := range rows {
		found = append(found, row.Learning)
	}
	return found, err
}

// change runs a transaction on the learning with an id, which Get has found, and returns what run
// made of it.
func (s *Store) change(ctx context.Context, id string, run func(Conn, *learningRow) error) (changed learning.Learning, err error) {
	err = s.write(ctx, LearningsLock, func(tx Conn) error {
		row, err := tx.lookupBy(ctx, Scope{Everything: true}, `e.id = $1`, id, ErrAmbiguous)
		if err != nil {
			return err
		}
		err = run(tx, &row)
		changed = row.Learning
		return err
	})
	return changed, err
}

// Forget deletes the learning with an id, and returns it.
func (s *Store) Forget(ctx context.Context, id string) (learning.Learning, error) {
	return s.change(ctx, id, func(tx Conn, row *learningRow) error {
		return remove(ctx, tx, row.seq, row.Learning)
	})
}

// remove deletes a learning, and records that for copies of the store.
func remove(ctx context.Context, tx Conn, seq int64, l learning.Learning) error {
	if err := recordDeletion(ctx, tx, l); err != nil { // before the row's revision is free
		return err
	}
	n, err := tx.execCount(ctx, `DELETE FROM entries WHERE seq = $1`, seq)
	if err != nil || n == 0 {
		return cmp.Or(err, ErrOthers)
	}
	// A colleague may have the same learning, or one that hid behind the personal one: copies get it.
	return tx.exec(ctx, `UPDATE entries SET revision = `+tx.engine.NextRevision()+` WHERE id = $1`, l.ID)
}

// recordDeletion makes copies of the store delete a learning by its id. Only its owner sees that
// of a personal one.
func recordDeletion(ctx context.Context, tx Conn, l learning.Learning) error {
	return tx.exec(ctx, `INSERT INTO forgotten (revision, id, personal, at) VALUES (`+tx.engine.NextRevision()+`, $1, $2, $3)`, l.ID, l.Personal, timeText(time.Now()))
}

// Edit changes the learning with an id. Its id follows a new description; its keywords
// follow new texts, unless they are edited too. Id, counts, source and creation time cannot be
// edited. A description that differs from another one only in case, spaces and punctuation is
// ErrTaken. What Put refuses is an error, and nothing changes.
func (s *Store) Edit(ctx context.Context, id string, at time.Time, edit func(*learning.Learning) error) (learning.Learning, error) {
	return s.change(ctx, id, func(tx Conn, row *learningRow) error {
		before := row.Learning
		before.Keywords = slices.Clone(before.Keywords)
		if err := edit(&row.Learning); err != nil {
			return err
		}
		l, err := storable(row.Learning)
		if err != nil {
			return err
		}
		var id, other, project string
		taken, err := tx.get(ctx, `SELECT id, name, coalesce(source_project, '') FROM entries WHERE (id = $1 OR folded = $2) AND seq <> $3`, []any{l.ID, folded(l.Description), row.seq}, &id, &other, &project)
		switch {
		case err != nil:
			return err
		case taken && project != "" && project != before.Project: // nothing of it is shown
			return ErrTaken
		case taken:
			return fmt.Errorf("%q (id: %s): %w", other, id, ErrTaken)
		}
		if (l.Description != before.Description || l.Name != before.Name || l.Reasoning != before.Reasoning) && slices.Equal(l.Keywords, before.Keywords) {
			l.Keywords = learning.Keywords(l.Name, l.Description, l.Reasoning)
		}
		l.Observations, l.Created, l.Source = before.Observations, before.Created, before.Source
		l.Recalls, l.LastRecalled = before.Recalls, before.LastRecalled
		l.Updated = later(before.Updated, storedTime(at))
		if l.ID != before.ID || l.Personal && !before.Personal || l.Project != before.Project { // copies must not keep the old one
			if err := recordDeletion(ctx, tx, before); err != nil {
				return err
			}
		}
		row.Learning = l
		return update(ctx, tx, row.seq, l, embeddedText(before))
	})
}

// Recalled counts that learnings were put before an agent.
func (s *Store) Recalled(ctx context.Context, ids []string, at time.Time) error {
	return s.count(ctx, "recall_count", "last_recalled_at", ids, at)
}

// Found counts that a search of an agent or user returned learnings, which is use.
func (s *Store) Found(ctx context.Context, ids []string, at time.Time) error {
	return s.count(ctx, "search_count", "last_used_at", ids, at)
}

func (s *Store) count(ctx context.Context, counter, last string, ids []string, at time.Time) error {
	if len(ids) == 0 {
		return nil
	}
	statement := fmt.Sprintf(`UPDATE entries SET %[1]s = %[1]s + 1, %[2]s = CASE WHEN %[2]s > $1 THEN %[2]s ELSE $1 END WHERE id %[3]s`, counter, last, s.conn.engine.AnyOf(2))
	return s.write(ctx, NoLock, func(tx Conn) error {
		return tx.exec(ctx, statement, timeText(storedTime(at)), tx.engine.List(ids))
	})
}
