package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"whence/internal/learning"
	"whence/internal/text"
)

// Errors of what names one learning.
var (
	ErrUnknown   = errors.New("no learning has this id or name")
	ErrAmbiguous = errors.New("more than one learning has this name: use the id")
	ErrTaken     = errors.New("another learning has this description already: edit or forget one of them")
	// ErrForbidden reports that a login may not write: it only reads, or has left the team.
	ErrForbidden = errors.New("this login may not do that in this team")
	// ErrOthers reports a learning of a colleague, which may be read but not deleted.
	ErrOthers = errors.New("it is a colleague's: say by feedback that it is wrong or outdated, or ask an administrator of the team to delete it")
	// ErrAmbiguousID is an ErrAmbiguous.
	ErrAmbiguousID = ambiguous("more than one learning has an id that begins so: use more of it")
)

type ambiguous string

func (e ambiguous) Error() string        { return string(e) }
func (e ambiguous) Is(target error) bool { return target == ErrAmbiguous }

// lookup finds a learning by its id, the beginning of its id (4 characters or more) if
// no other begins so, or its name, the case of the letters A to Z ignored. An id goes
// before a name, and a name before the beginning of an id.
func lookup(ctx context.Context, r reader, name string) (seq int64, l learning.Learning, err error) {
	for _, by := range lookups(r.q.engine) {
		argument := name
		if by.lower {
			argument = lower(name)
		}
		if by.prefix {
			if argument = strings.ToLower(name); len(argument) < 4 || strings.Trim(argument, "0123456789abcdef") != "" {
				continue
			}
		}
		n := 0
		// Of one that is personal, and shared by a colleague as well, one's own is meant.
		rows, err := r.q.QueryContext(ctx, `SELECT `+Columns+` FROM entries e WHERE `+by.where+` ORDER BY e.personal DESC LIMIT 3`, argument)
		if err != nil {
			return 0, l, err
		}
		for rows.Next() && err == nil {
			var at int64
			var one learning.Learning
			if at, one, err = scan(rows); err == nil && (n == 0 || one.ID != l.ID) {
				n++
				seq, l = at, one
			}
		}
		if err := errors.Join(err, rows.Err(), rows.Close()); err != nil {
			return 0, l, err
		}
		switch {
		case n == 1:
			return seq, l, nil
		case n > 1 && by.prefix:
			return 0, l, fmt.Errorf("%q: %w", name, ErrAmbiguousID)
		case n > 1:
			return 0, l, fmt.Errorf("%q: %w", name, ErrAmbiguous)
		}
	}
	return 0, l, fmt.Errorf("%q: %w", name, ErrUnknown)
}

// lower returns a name with the letters A to Z in lower case.
func lower(name string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, name)
}

// nameLookup is a way to name a learning.
type nameLookup struct {
	where         string
	prefix, lower bool
}

// lookups are the ways to name a learning, in their order. Each has an index.
func lookups(e Engine) []nameLookup {
	return []nameLookup{
		{where: `e.id = $1`},
		{where: e.LowerName() + ` = $1`, lower: true},
		{where: `e.id >= $1 AND e.id < $1 || 'g'`, prefix: true},
	}
}

// Detail is a learning with what is known about it.
type Detail struct {
	learning.Learning
	Sessions    int // in which it was observed
	Feedback    []Feedback
	Contradicts []learning.Learning // and those that contradict it
}

// Verdict is a judgement of a learning, given as feedback.
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
func (s *Store) Get(ctx context.Context, name string) (Detail, error) {
	d, err := s.get(ctx, name)
	return d, s.explained(err)
}

func (s *Store) get(ctx context.Context, name string) (d Detail, err error) {
	r := reader{s.conn}
	seq, l, err := lookup(ctx, r, name)
	if err != nil {
		return d, err
	}
	d.Learning = l
	if err := s.conn.QueryRowContext(ctx, `SELECT count(DISTINCT nullif(session, '')) FROM observations WHERE entry = $1`, seq).Scan(&d.Sessions); err != nil {
		return d, err
	}
	rows, err := s.conn.QueryContext(ctx, `SELECT verdict, reason, session, at FROM feedback WHERE entry = $1 ORDER BY at, rowid`, seq)
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
	d.Contradicts, err = s.query(ctx, `WHERE e.seq IN (SELECT contradicts FROM links WHERE entry = $1 UNION SELECT entry FROM links WHERE contradicts = $1) ORDER BY e.seq`, seq)
	return d, err
}

// query reads learnings.
func (s *Store) query(ctx context.Context, rest string, arguments ...any) (found []learning.Learning, err error) {
	rows, err := s.conn.QueryContext(ctx, `SELECT `+Columns+` FROM entries e `+rest, arguments...)
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
func (s *Store) change(ctx context.Context, name string, run func(Conn, int64, *learning.Learning) error) (changed learning.Learning, err error) {
	err = s.write(ctx, Learnings, func(tx Conn) error {
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
	return s.change(ctx, name, func(tx Conn, seq int64, l *learning.Learning) error {
		return remove(ctx, tx, seq, *l)
	})
}

// remove deletes a learning, and notes that it is gone.
func remove(ctx context.Context, tx Conn, seq int64, l learning.Learning) error {
	if err := noteGone(ctx, tx, l.ID, l.Personal); err != nil { // before its own number is free
		return err
	}
	result, err := tx.ExecContext(ctx, `DELETE FROM entries WHERE seq = $1`, seq)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return cmp.Or(err, ErrOthers)
	}
	// A colleague may have learned the same, or share what was personal here: copies get it.
	_, err = tx.ExecContext(ctx, `UPDATE entries SET revision = `+tx.engine.NextRevision()+` WHERE id = $1`, l.ID)
	return err
}

// noteGone has those that keep a copy delete an id: of one that was personal its owner alone.
func noteGone(ctx context.Context, tx Conn, id string, personal bool) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO forgotten (revision, id, personal, at) VALUES (`+tx.engine.NextRevision()+`, $1, $2, $3)`, id, personal, timeText(moment(time.Time{})))
	return err
}

// Say records feedback on a learning, by id or name. Helped counts as use, and raises the
// confidence (learning.Vet), once a session; Wrong and
// Outdated retire the learning, with the reason: it is kept, and no longer found.
func (s *Store) Say(ctx context.Context, name string, f Feedback) (learning.Learning, error) {
	if _, err := ParseVerdict(string(f.Verdict)); err != nil {
		return learning.Learning{}, err
	}
	f.Reason, f.Session, f.At = text.Clean(f.Reason), text.Clean(f.Session), moment(f.At)
	return s.change(ctx, name, func(tx Conn, seq int64, l *learning.Learning) error {
		embedded := embeddedText(*l)
		if f.Verdict == Helped {
			if err := vetHelped(ctx, tx, seq, l, f.Session); err != nil {
				return err
			}
			l.Influence++
			l.LastUsed = later(l.LastUsed, f.At)
			l.Retired = ""
		} else {
			l.Retired = string(f.Verdict)
			if f.Reason != "" {
				l.Retired += ": " + f.Reason
			}
		}
		if err := update(ctx, tx, seq, *l, embedded); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO feedback (entry, verdict, reason, session, at) VALUES ($1, $2, $3, $4, $5)`, seq, string(f.Verdict), f.Reason, f.Session, timeText(f.At))
		return err
	})
}

// vetHelped raises the confidence of a learning that has helped. As with observations, what one
// session says twice is one thing.
func vetHelped(ctx context.Context, tx Conn, seq int64, l *learning.Learning, session string) error {
	var noted, before, same int
	err := tx.QueryRowContext(ctx, `SELECT count(*), count(DISTINCT nullif(session, '')) + count(CASE WHEN session = '' THEN 1 END), count(CASE WHEN session = $1 AND session <> '' THEN 1 END)
		FROM feedback WHERE verdict = 'helped' AND entry = $2`, session, seq).Scan(&noted, &before, &same)
	if err != nil || same > 0 {
		return err
	}
	evidence := *l
	evidence.Influence = before + max(l.Influence-noted, 0) + 1
	l.Confidence = learning.Vet(evidence)
	return nil
}

// Edit changes a learning, by id or name. Its id follows a new description, and its
// keywords follow new texts, unless they are edited as well; id, counts of observations
// and when it was made cannot be edited. A description that differs from
// another one only in case, spaces and punctuation is an error, as is anything that Put refuses;
// then nothing changes.
func (s *Store) Edit(ctx context.Context, name string, at time.Time, edit func(*learning.Learning) error) (learning.Learning, error) {
	return s.change(ctx, name, func(tx Conn, seq int64, l *learning.Learning) error {
		before := *l
		before.Keywords = slices.Clone(l.Keywords)
		if err := edit(l); err != nil {
			return err
		}
		edited, err := storable(*l)
		if err != nil {
			return err
		}
		*l = edited
		var id, other string
		err = tx.QueryRowContext(ctx, `SELECT id, name FROM entries WHERE (id = $1 OR folded = $2) AND seq != $3`, l.ID, folded(l.Description), seq).Scan(&id, &other)
		if err == nil {
			return fmt.Errorf("%q (id: %s): %w", other, id, ErrTaken)
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if (l.Description != before.Description || l.Name != before.Name || l.Reasoning != before.Reasoning) && slices.Equal(l.Keywords, before.Keywords) {
			l.Keywords = learning.Keywords(l.Name, l.Description, l.Reasoning)
		}
		l.Observations, l.Created, l.Source = before.Observations, before.Created, before.Source
		l.Recalls, l.LastRecalled = before.Recalls, before.LastRecalled
		l.Updated = later(before.Updated, moment(at))
		if l.ID != before.ID || l.Personal && !before.Personal || l.Project != before.Project { // there are copies
			if err := noteGone(ctx, tx, before.ID, before.Personal); err != nil {
				return err
			}
		}
		return update(ctx, tx, seq, *l, embeddedText(before))
	})
}

// Recalled counts that learnings were put before an agent.
func (s *Store) Recalled(ctx context.Context, ids []string, at time.Time) error {
	return s.count(ctx, `UPDATE entries SET recall_count = recall_count + 1, last_recalled_at = CASE WHEN last_recalled_at > $1 THEN last_recalled_at ELSE $1 END WHERE id = $2`, ids, at)
}

// Found counts that learnings were returned by a search that an agent or user made: they
// were asked for, which is use.
func (s *Store) Found(ctx context.Context, ids []string, at time.Time) error {
	return s.count(ctx, `UPDATE entries SET search_count = search_count + 1, last_used_at = CASE WHEN last_used_at > $1 THEN last_used_at ELSE $1 END WHERE id = $2`, ids, at)
}

func (s *Store) count(ctx context.Context, statement string, ids []string, at time.Time) error {
	if len(ids) == 0 {
		return nil
	}
	return s.write(ctx, Counts, func(tx Conn) error {
		for _, id := range ids {
			if _, err := tx.ExecContext(ctx, statement, timeText(moment(at)), id); err != nil {
				return err
			}
		}
		return nil
	})
}
