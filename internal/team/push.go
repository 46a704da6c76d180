package team

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"whence/internal/learning"
	"whence/internal/store"
)

// maxRows is the number of operations or changes in one transaction, here and there.
const maxRows = 100

// pushAll sends the outbox of a repository, in order, and notes what the server refused for good.
func (e *exchange) pushAll(ctx context.Context) error {
	for {
		ops, err := e.store.Outbox(ctx, e.team.Project, maxRows)
		if err != nil || len(ops) == 0 {
			return err
		}
		// An edit that changes an id ends the transaction: none has two in a row.
		if i := slices.IndexFunc(ops, func(op store.Op) bool { return op.Kind == store.OpEdit && op.Learning.ID != op.Before }); i >= 0 {
			ops = ops[:i+1]
		}
		if err := e.pushSome(ctx, ops); err != nil {
			return err
		}
		if err := e.store.Sent(ctx, e.team.Project, ops[len(ops)-1].Seq); err != nil {
			return err
		}
	}
}

// pushSome sends operations. One that breaks a limit of the server is left out: it would stop all others
// for good, and its learning or turn stays in the store of this machine.
func (e *exchange) pushSome(ctx context.Context, ops []store.Op) error {
	var refused []string
	err := transaction(ctx, e.conn, func(ctx context.Context, tx pgx.Tx) (err error) {
		refused, err = e.push(ctx, tx, ops)
		return err
	})
	if isBadData(err) && len(ops) > 1 {
		if err := e.pushSome(ctx, ops[:len(ops)/2]); err != nil {
			return err
		}
		return e.pushSome(ctx, ops[len(ops)/2:])
	}
	if isBadData(err) {
		refused, err = []string{"the server does not take one of the changes: " + err.Error()}, nil
	}
	e.refused = append(e.refused, refused...)
	return err
}

// push applies the operations that the server has not applied before.
func (e *exchange) push(ctx context.Context, tx pgx.Tx, ops []store.Op) (refused []string, err error) {
	// The lock comes first: what is read below must not change until the end.
	if slices.ContainsFunc(ops, func(op store.Op) bool { return op.Turn == nil }) {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('whence ' || $1, 0))`, e.team.Team); err != nil {
			return nil, err
		}
	}
	ids := make([]string, len(ops))
	for i, op := range ops {
		ids[i] = op.ID
	}
	rows, err := tx.Query(ctx, `INSERT INTO whence.applied (team, id) SELECT $1, unnest($2::text[])
		ON CONFLICT DO NOTHING RETURNING id`, e.team.Team, ids)
	if err != nil {
		return nil, err
	}
	fresh, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	ops = slices.DeleteFunc(slices.Clone(ops), func(op store.Op) bool { return !slices.Contains(fresh, op.ID) })
	m, err := e.load(ctx, tx, ops)
	if err != nil {
		return nil, err
	}
	batch := &pgx.Batch{}
	for _, op := range ops {
		if op.Turn != nil {
			e.writeTurn(batch, *op.Turn)
		} else {
			m.apply(op)
		}
	}
	if err := e.write(batch, m); err != nil {
		return nil, err
	}
	return m.refused, tx.SendBatch(ctx, batch).Close()
}

// load reads the rows that operations may change.
func (e *exchange) load(ctx context.Context, tx pgx.Tx, ops []store.Op) (*merge, error) {
	m := &merge{rows: map[string]*row{}, origin: e.origin, login: e.login}
	ids := []string{}
	for _, op := range ops {
		if op.Learning != nil {
			ids = append(ids, op.Learning.ID, learning.ID(besideOf(op.Learning.Description, e.login)))
		}
		ids = append(ids, op.Before)
	}
	rows, err := tx.Query(ctx, `SELECT id, learning::text, revision, text_revision, origin,
			author = session_user OR (SELECT pg_has_role(t.role, 'USAGE WITH ADMIN OPTION') FROM whence.teams t WHERE t.team = $1)
		FROM whence.learnings WHERE team = $1 AND scope = $2 AND id = ANY ($3::text[])`, e.team.Team, e.team.Scope, ids)
	if err != nil {
		return nil, err
	}
	var id string
	var src *string
	var r row
	_, err = pgx.ForEachRow(rows, []any{&id, &src, &r.revision, &r.textRevision, &r.origin, &r.mayForget}, func() error {
		read := r
		read.exists = true
		m.rows[id] = &read
		if src == nil {
			return nil
		}
		return json.Unmarshal([]byte(*src), &read.learning)
	})
	return m, err
}

// write queues the rows that changed: those with a text first, since a row may go if another took its place.
func (e *exchange) write(batch *pgx.Batch, m *merge) error {
	for _, live := range []bool{true, false} {
		for _, id := range slices.Sorted(maps.Keys(m.rows)) {
			r := m.rows[id]
			if !r.changed || (r.learning != nil) != live {
				continue
			}
			src, err := json.Marshal(r.learning)
			if err != nil {
				return err
			}
			batch.Queue(`INSERT INTO whence.learnings (team, scope, id, learning, predecessor, origin)
				VALUES ($1, $2, $3, nullif($4, 'null')::jsonb, nullif($5, ''), $6) ON CONFLICT (team, scope, id)
				DO UPDATE SET learning = excluded.learning, predecessor = excluded.predecessor, origin = excluded.origin`,
				e.team.Team, e.team.Scope, id, string(src), r.predecessor, r.origin)
		}
	}
	return nil
}

// writeTurn queues a turn. The text of one that is known may have grown.
func (e *exchange) writeTurn(batch *pgx.Batch, t store.Turn) {
	batch.Queue(`INSERT INTO whence.turns (team, scope, uuid, session, role, kind, text, at, words)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8::timestamptz, $9::text[])
		ON CONFLICT (team, login, uuid) DO UPDATE SET text = excluded.text, words = excluded.words`,
		e.team.Team, e.team.Scope, t.UUID, t.Session, t.Role, t.Kind, t.Text, t.At.UTC(), wordsOf(e.team, t.Text, maxTurnWords))
}
