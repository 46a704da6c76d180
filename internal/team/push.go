package team

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/jackc/pgx/v5"

	"whence/internal/learning"
	"whence/internal/store"
)

// maxOps is the number of operations in one transaction.
const maxOps = 100

// pushAll sends the outbox of a repository, in order, and returns what the server refused for good.
func (e *exchange) pushAll(ctx context.Context) (refused []string, err error) {
	for {
		ops, err := e.store.Outbox(ctx, e.team.Project, maxOps)
		if err != nil || len(ops) == 0 {
			return refused, err
		}
		ops = upToMove(ops)
		some, err := e.pushSome(ctx, ops)
		refused = append(refused, some...)
		if err != nil {
			return refused, err
		}
		if err := e.store.Sent(ctx, e.team.Project, ops[len(ops)-1].Seq); err != nil {
			return refused, err
		}
	}
}

// upToMove returns the first operations, up to an edit that changes an id: no transaction has two in a row.
func upToMove(ops []store.Op) []store.Op {
	i := slices.IndexFunc(ops, func(op store.Op) bool {
		return op.Kind == store.OpEdit && op.Learning != nil && op.Learning.ID != op.Before
	})
	if i < 0 {
		return ops
	}
	return ops[:i+1]
}

// pushSome sends operations. One that breaks a limit of the server is left out: it would stop all others
// for good, and its learning or turn stays in the store of this machine.
func (e *exchange) pushSome(ctx context.Context, ops []store.Op) (refused []string, err error) {
	err = transaction(ctx, e.conn, func(ctx context.Context, tx pgx.Tx) error {
		refused, err = e.push(ctx, tx, ops)
		return err
	})
	if !isBadData(err) {
		return refused, err
	}
	if len(ops) == 1 {
		return []string{"the server does not take one of the changes: " + err.Error()}, nil
	}
	first, err := e.pushSome(ctx, ops[:len(ops)/2])
	if err != nil {
		return first, err
	}
	second, err := e.pushSome(ctx, ops[len(ops)/2:])
	return append(first, second...), err
}

// push applies the operations that the server has not applied before.
func (e *exchange) push(ctx context.Context, tx pgx.Tx, ops []store.Op) (refused []string, err error) {
	// The lock comes first: what is read below must not change until the end.
	if slices.ContainsFunc(ops, func(op store.Op) bool { return op.Kind != store.OpTurn }) {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('whence ' || $1, 0))`, e.team.Team); err != nil {
			return nil, err
		}
	}
	ids := make([]string, len(ops))
	for i, op := range ops {
		ids[i] = op.ID
	}
	rows, err := tx.Query(ctx, `INSERT INTO whence.applied (team, id) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING RETURNING id`,
		e.team.Team, ids)
	if err != nil {
		return nil, err
	}
	fresh, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	var turns []store.Turn
	var changes []store.Op
	for _, op := range ops {
		if !slices.Contains(fresh, op.ID) {
			continue
		}
		if op.Turn != nil {
			turns = append(turns, *op.Turn)
		} else {
			changes = append(changes, op)
		}
	}
	m, err := e.load(ctx, tx, changes)
	if err != nil {
		return nil, err
	}
	for _, op := range changes {
		m.apply(op)
	}
	if err := e.write(ctx, tx, m); err != nil {
		return nil, err
	}
	return m.refused, e.writeTurns(ctx, tx, turns)
}

// load reads the rows that operations may change.
func (e *exchange) load(ctx context.Context, tx pgx.Tx, ops []store.Op) (*merge, error) {
	m := &merge{rows: map[string]*row{}, origin: e.origin, login: e.login}
	var ids []string
	for _, op := range ops {
		ids = append(ids, op.Before)
		if op.Learning != nil {
			ids = append(ids, op.Learning.ID, learning.ID(besideOf(op.Learning.Description, e.login)))
		}
	}
	if len(ids) == 0 {
		return m, nil
	}
	rows, err := tx.Query(ctx, `SELECT id, learning::text, revision, text_revision, origin,
			author = session_user OR (SELECT pg_has_role(t.role, 'USAGE WITH ADMIN OPTION') FROM whence.teams t WHERE t.team = $1)
		FROM whence.learnings WHERE team = $1 AND scope = $2 AND id = ANY ($3::text[])`, e.team.Team, e.team.Scope, ids)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var src *string
		r := &row{exists: true}
		if err := rows.Scan(&id, &src, &r.revision, &r.textRevision, &r.origin, &r.mayForget); err != nil {
			return nil, err
		}
		if src != nil {
			if err := json.Unmarshal([]byte(*src), &r.learning); err != nil {
				return nil, err
			}
		}
		m.rows[id] = r
	}
	return m, rows.Err()
}

// write writes the rows that changed: those with a text first, since a row may go if another took its place.
func (e *exchange) write(ctx context.Context, tx pgx.Tx, m *merge) error {
	var live, gone []string
	for id, r := range m.rows {
		switch {
		case r.changed && r.learning != nil:
			live = append(live, id)
		case r.changed:
			gone = append(gone, id)
		}
	}
	slices.Sort(live)
	slices.Sort(gone)
	for _, id := range slices.Concat(live, gone) {
		r := m.rows[id]
		var src, predecessor *string
		if r.learning != nil {
			r.learning.ID = id
			text, err := json.Marshal(r.learning)
			if err != nil {
				return err
			}
			src = new(string(text))
		}
		if r.predecessor != "" {
			predecessor = &r.predecessor
		}
		e.batch.Queue(`INSERT INTO whence.learnings (team, scope, id, learning, predecessor, origin) VALUES ($1, $2, $3, $4::jsonb, $5, $6)
			ON CONFLICT (team, scope, id) DO UPDATE SET learning = excluded.learning, predecessor = excluded.predecessor, origin = excluded.origin`,
			e.team.Team, e.team.Scope, id, src, predecessor, r.origin)
	}
	return e.flush(ctx, tx)
}

// writeTurns stores turns. The text of one that is known may have grown.
func (e *exchange) writeTurns(ctx context.Context, tx pgx.Tx, turns []store.Turn) error {
	for _, t := range turns {
		e.batch.Queue(`INSERT INTO whence.turns (team, scope, uuid, session, role, kind, text, at, words)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8::timestamptz, $9::text[])
			ON CONFLICT (team, login, uuid) DO UPDATE SET text = excluded.text, words = excluded.words`,
			e.team.Team, e.team.Scope, t.UUID, t.Session, t.Role, t.Kind, t.Text, t.At.UTC(), wordsOf(e.team, t.Text))
	}
	return e.flush(ctx, tx)
}

// flush sends the queued statements together.
func (e *exchange) flush(ctx context.Context, tx pgx.Tx) error {
	batch := e.batch
	e.batch = pgx.Batch{}
	if batch.Len() == 0 {
		return nil
	}
	return tx.SendBatch(ctx, &batch).Close()
}
