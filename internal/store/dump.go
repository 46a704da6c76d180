package store

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
)

// How much is read at a time. Load stores each part in one transaction.
const (
	maxPartLearnings = 200
	maxPartTurns     = 500 // except of a session that has more
)

// Dump reads the records of a scope in parts: learnings, then whole
// sessions in the order in which they began. It leaves out how far transcripts were read,
// rejections, embeddings and the identity of the store. What is stored meanwhile may be missing.
func (s *Store) Dump(ctx context.Context, scope Scope) iter.Seq2[Records, error] {
	return func(yield func(Records, error) bool) {
		goOn := true
		for _, dump := range []func(context.Context, Scope, func(Records) bool) error{s.dumpLearnings, s.dumpSessions} {
			err := dump(ctx, scope, func(r Records) bool {
				goOn = yield(r, nil)
				return goOn
			})
			if err != nil {
				yield(Records{}, fmt.Errorf("read the store: %w", s.explained(err)))
			}
			if err != nil || !goOn {
				return
			}
		}
	}
}

func (s *Store) dumpLearnings(ctx context.Context, scope Scope, yield func(Records) bool) error {
	for after := int64(0); ; {
		rows, err := s.conn.readRecorded(ctx, `WHERE e.seq > $1 AND ($2 OR e.source_project IS NULL OR e.source_project = $3) ORDER BY e.seq LIMIT $4`,
			after, scope.Everything, scope.Project, maxPartLearnings)
		if err != nil || len(rows) == 0 {
			return err
		}
		var r Records
		for _, row := range rows {
			r.Learnings, after = append(r.Learnings, row.Recorded), row.seq
		}
		if !yield(r) {
			return nil
		}
	}
}

// recordedRow is a learning and its history with the number of its row.
type recordedRow struct {
	seq int64
	Recorded
}

// readRecorded reads learnings and their history; the clauses follow FROM entries e.
func (c Conn) readRecorded(ctx context.Context, clauses string, arguments ...any) ([]recordedRow, error) {
	all, err := Collect(ctx, c, func(row Scanner) (r recordedRow, err error) {
		l, err := scanLearning(row, &r.Found)
		r.seq, r.Learning = l.seq, l.Learning
		return r, err
	}, `SELECT `+learningColumns+`, e.search_count FROM entries e `+clauses, arguments...)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	seqs, rows := make([]int64, len(all)), map[int64]*recordedRow{}
	for i := range all {
		seqs[i], rows[all[i].seq] = all[i].seq, &all[i]
	}
	err = c.Each(ctx, `SELECT entry, session, at FROM observations WHERE entry `+c.engine.AnyOf(1)+` ORDER BY entry, at, session`, []any{c.engine.List(seqs)}, func(row Scanner) error {
		var o Observation
		var seq int64
		var at sql.NullString
		err := row.Scan(&seq, &o.Session, &at)
		o.At = parseTime(at)
		rows[seq].Observed = append(rows[seq].Observed, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
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
		if r.Size() > 0 && r.Size()+len(session.Turns) > maxPartTurns {
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
func (s *Store) sessionsOf(ctx context.Context, scope Scope) ([]string, error) {
	if !scope.Everything {
		return Collect(ctx, s.conn, value[string], `SELECT session FROM captured WHERE session IN (SELECT session FROM turns WHERE project = $1 UNION SELECT session FROM transcripts WHERE project = $1)
			GROUP BY session ORDER BY min(seq)`, scope.Talk)
	}
	ids, err := Collect(ctx, s.conn, value[string], `SELECT session FROM captured GROUP BY session ORDER BY min(seq)`)
	if err != nil {
		return nil, err
	}
	withoutTurns, err := Collect(ctx, s.conn, value[string], `SELECT id FROM sessions WHERE change <> '' AND NOT EXISTS (SELECT 1 FROM captured WHERE session = sessions.id) ORDER BY id`)
	return append(ids, withoutTurns...), err
}

// readSession reads a session, except turns outside the scope.
func (s *Store) readSession(ctx context.Context, scope Scope, id string) (Session, error) {
	session := Session{ID: id}
	if _, err := s.conn.get(ctx, `SELECT change FROM sessions WHERE id = $1`, []any{id}, &session.Change); err != nil {
		return session, err
	}
	return session, s.conn.Each(ctx, `SELECT c.uuid, c.rank, c.digest, t.uuid, t.project, t.seq = c.seq, t.role, t.kind, t.text, t.fold, t.count, t.rank, t.personal, t.created_at
		FROM captured c LEFT JOIN turns t ON t.seq = c.turn WHERE c.session = $1 ORDER BY c.seq`, []any{id}, func(row Scanner) error {
		var a Arrival
		var with, project, role, kind, text, fold, at sql.NullString
		var digest, count, rank sql.NullInt64
		var kept, personal sql.NullBool
		if err := row.Scan(&a.UUID, &a.Rank, &digest, &with, &project, &kept, &role, &kind, &text, &fold, &count, &rank, &personal, &at); err != nil {
			return err
		}
		if with.Valid && !scope.Everything && project.String != scope.Talk {
			return nil
		}
		a.With, a.Digest = with.String, digest.Int64
		if kept.Bool {
			a.Personal = personal.Bool
			a.Kept = &Turn{Session: id, UUID: a.UUID, Role: role.String, Kind: kind.String, Text: text.String, Fold: fold.String, Project: project.String,
				At: parseTime(at), Count: int(count.Int64), Rank: int(rank.Int64), Change: session.Change}
		}
		session.Turns = append(session.Turns, a)
		return nil
	})
}
