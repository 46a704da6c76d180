package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
)

// How much is read at once: a piece is one transaction where it is stored.
const (
	learningsOfPiece = 200
	linksOfPiece     = 500
	turnsOfPiece     = 500 // or those of one session, if it has more
)

// Dump reads what a scope means, in pieces: learnings, then the links between them, then
// sessions, each as a whole, in the order in which they began. How far transcripts were
// read, what was turned down in sessions, embeddings and what is only of this store are not
// among it. What is stored meanwhile may be missing.
func (s *Store) Dump(ctx context.Context, scope Scope) iter.Seq2[Records, error] {
	return func(yield func(Records, error) bool) {
		more := true
		for _, part := range []func(context.Context, Scope, func(Records) bool) error{s.dumpLearnings, s.dumpLinks, s.dumpSessions} {
			if !more {
				return
			}
			err := part(ctx, scope, func(r Records) bool {
				more = yield(r, nil)
				return more
			})
			if err != nil {
				yield(Records{}, fmt.Errorf("read the store: %w", s.explained(err)))
				return
			}
		}
	}
}

func (s *Store) dumpLearnings(ctx context.Context, scope Scope, yield func(Records) bool) error {
	for after := int64(0); ; {
		some, err := readRecorded(ctx, s.conn, `WHERE e.seq > $1 AND ($2 OR e.source_project IS NULL OR e.source_project = $3) ORDER BY e.seq LIMIT $4`,
			after, scope.Everything, scope.Project, learningsOfPiece)
		if err != nil || len(some) == 0 {
			return err
		}
		var r Records
		for _, row := range some {
			r.Learnings = append(r.Learnings, row.Recorded)
		}
		after = some[len(some)-1].seq
		if !yield(r) {
			return nil
		}
	}
}

// recordedRow is a learning with its row.
type recordedRow struct {
	seq int64
	Recorded
}

// readRecorded reads learnings, with what is known of them.
func readRecorded(ctx context.Context, c Conn, rest string, arguments ...any) (all []recordedRow, err error) {
	rows, err := c.QueryContext(ctx, `SELECT `+Columns+`, e.search_count FROM entries e `+rest, arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	at := map[int64]int{}
	for rows.Next() {
		var row recordedRow
		if row.seq, row.Learning, err = scan(rows, &row.Found); err != nil {
			return nil, err
		}
		at[row.seq] = len(all)
		all = append(all, row)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil || len(all) == 0 {
		return nil, err
	}
	seqs := make([]int64, len(all))
	for i, row := range all {
		seqs[i] = row.seq
	}
	list := []any{c.engine.List(seqs)}
	err = each(ctx, c, `SELECT entry, session, at FROM observations WHERE entry `+c.engine.AnyOf(1)+` ORDER BY entry, at, session`, list, func(scan func(...any) error) error {
		var o Observation
		var entry int64
		var when sql.NullString
		err := scan(&entry, &o.Session, &when)
		o.At = parseTime(when)
		row := &all[at[entry]]
		row.Observed = append(row.Observed, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, each(ctx, c, `SELECT entry, verdict, reason, session, at FROM feedback WHERE entry `+c.engine.AnyOf(1)+` ORDER BY entry, at, rowid`, list, func(scan func(...any) error) error {
		var f Feedback
		var entry int64
		var when sql.NullString
		err := scan(&entry, &f.Verdict, &f.Reason, &f.Session, &when)
		f.At = parseTime(when)
		row := &all[at[entry]]
		row.Said = append(row.Said, f)
		return err
	})
}

// each runs a query, and take for each of its rows.
func each(ctx context.Context, c Conn, query string, arguments []any, take func(scan func(...any) error) error) error {
	rows, err := c.QueryContext(ctx, query, arguments...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := take(rows.Scan); err != nil {
			return err
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

func (s *Store) dumpLinks(ctx context.Context, scope Scope, yield func(Records) bool) error {
	for entry, other := int64(0), int64(0); ; {
		var r Records
		err := each(ctx, s.conn, `SELECT l.entry, l.contradicts, a.id, a.folded, b.id, b.folded, l.at
			FROM links l JOIN entries a ON a.seq = l.entry JOIN entries b ON b.seq = l.contradicts
			WHERE ($1 OR a.source_project IS NULL OR a.source_project = $2) AND ($1 OR b.source_project IS NULL OR b.source_project = $2)
			AND (l.entry, l.contradicts) > ($3, $4) ORDER BY l.entry, l.contradicts LIMIT $5`,
			[]any{scope.Everything, scope.Project, entry, other, linksOfPiece}, func(scan func(...any) error) error {
				var l Link
				var when sql.NullString
				err := scan(&entry, &other, &l.Of.ID, &l.Of.Folded, &l.Contradicts.ID, &l.Contradicts.Folded, &when)
				l.At = parseTime(when)
				r.Links = append(r.Links, l)
				return err
			})
		if err != nil || len(r.Links) == 0 || !yield(r) {
			return err
		}
	}
}

func (s *Store) dumpSessions(ctx context.Context, scope Scope, yield func(Records) bool) error {
	ids, err := s.sessionsOf(ctx, scope)
	if err != nil {
		return err
	}
	var r Records
	for _, id := range ids {
		session, err := s.readSession(ctx, scope, id)
		if err != nil {
			return err
		}
		if r.Size() > 0 && r.Size()+len(session.Turns) > turnsOfPiece {
			if !yield(r) {
				return nil
			}
			r = Records{}
		}
		r.Sessions = append(r.Sessions, session)
	}
	if len(r.Sessions) > 0 {
		yield(r)
	}
	return nil
}

// sessionsOf returns the sessions of a scope in the order in which they began, last those
// without turns.
func (s *Store) sessionsOf(ctx context.Context, scope Scope) (ids []string, err error) {
	query, arguments := `SELECT session FROM captured GROUP BY session ORDER BY min(seq)`, []any(nil)
	if !scope.Everything {
		query = `SELECT session FROM captured WHERE session IN (SELECT session FROM turns WHERE project = $1 UNION SELECT session FROM transcripts WHERE project = $1)
			GROUP BY session ORDER BY min(seq)`
		arguments = []any{scope.Talk}
	}
	add := func(scan func(...any) error) error {
		var id string
		err := scan(&id)
		ids = append(ids, id)
		return err
	}
	if err := each(ctx, s.conn, query, arguments, add); err != nil || !scope.Everything {
		return ids, err
	}
	return ids, each(ctx, s.conn, `SELECT id FROM sessions WHERE change <> '' AND NOT EXISTS (SELECT 1 FROM captured WHERE session = sessions.id) ORDER BY id`, nil, add)
}

// readSession reads a session, except turns outside the scope.
func (s *Store) readSession(ctx context.Context, scope Scope, id string) (Session, error) {
	session := Session{ID: id}
	if err := s.conn.QueryRowContext(ctx, `SELECT coalesce((SELECT change FROM sessions WHERE id = $1), '')`, id).Scan(&session.Change); err != nil {
		return session, err
	}
	const own = `CASE WHEN t.seq = c.seq THEN `
	return session, each(ctx, s.conn, `SELECT c.uuid, c.rank, c.digest, t.uuid, t.project, t.seq = c.seq,
			`+own+`t.role END, `+own+`t.kind END, `+own+`t.text END, `+own+`t.fold END, `+own+`t.count END, `+own+`t.rank END, `+own+`t.personal END, `+own+`t.created_at END
		FROM captured c LEFT JOIN turns t ON t.seq = c.turn WHERE c.session = $1 ORDER BY c.seq`, []any{id}, func(scan func(...any) error) error {
		var a Arrival
		var with, project, role, kind, text, fold, at sql.NullString
		var digest, count, rank sql.NullInt64
		var kept, personal sql.NullBool
		if err := scan(&a.UUID, &a.Rank, &digest, &with, &project, &kept, &role, &kind, &text, &fold, &count, &rank, &personal, &at); err != nil {
			return err
		}
		if with.Valid && !scope.Everything && project.String != scope.Talk {
			return nil
		}
		a.With, a.Digest, a.Personal = with.String, digest.Int64, personal.Bool
		if kept.Bool {
			a.Kept = &Turn{Session: id, UUID: a.UUID, Role: role.String, Kind: kind.String, Text: text.String, Fold: fold.String, Project: project.String,
				At: parseTime(at), Count: int(count.Int64), Rank: int(rank.Int64), Change: session.Change}
		}
		session.Turns = append(session.Turns, a)
		return nil
	})
}
