package store

import (
	"context"
	"encoding/json"
	"fmt"

	"whence/internal/learning"
)

// selected is the condition that a query selects a learning.
const selected = visible + ` AND @category IN ('', e.category)`

// List returns the selected learnings, the newest first.
func (s *Store) List(ctx context.Context, q Query) ([]learning.Learning, error) {
	return s.list(ctx, `WHERE `+selected+` ORDER BY e.created_at DESC, e.seq DESC LIMIT @max`, q.params())
}

// Count returns the number of selected learnings, at most Max.
func (s *Store) Count(ctx context.Context, q Query) (n int, err error) {
	_, err = conn{s.db}.get(ctx, `SELECT count(*) FROM (SELECT 1 FROM entries e WHERE `+selected+` LIMIT @max)`, q.params(), &n)
	return n, s.wrap("count what is stored", err)
}

// Prominent returns the learnings of a scope that were observed most and were observed last: at most
// a number of each kind, without duplicates.
func (s *Store) Prominent(ctx context.Context, in Scope, maxEach int) ([]learning.Learning, error) {
	best := func(column string) string {
		return fmt.Sprintf(`SELECT * FROM (SELECT e.seq FROM entries e WHERE %s ORDER BY %s DESC, seq DESC LIMIT @max)`, visible, column)
	}
	p := in.params()
	p["max"] = maxEach
	return s.list(ctx, `WHERE e.seq IN (`+best("observation_count")+` UNION `+best("updated_at")+`) ORDER BY e.seq`, p)
}

func (s *Store) list(ctx context.Context, clauses string, p params) (found []learning.Learning, err error) {
	rows, err := conn{s.db}.learnings(ctx, clauses, p)
	for _, row := range rows {
		found = append(found, row.Learning)
	}
	return found, s.wrap("list the store", err)
}

// Note stores a value under a key, as JSON.
func (s *Store) Note(ctx context.Context, key string, value any) error {
	src, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx conn) error {
		return tx.exec(ctx, `INSERT INTO meta (key, value) VALUES (@key, @value) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
			params{"key": key, "value": string(src)})
	})
}

// Noted reads the value that is stored under a key; ok is false if there is none.
func (s *Store) Noted(ctx context.Context, key string, value any) (ok bool, err error) {
	var src string
	if ok, err = (conn{s.db}).get(ctx, `SELECT value FROM meta WHERE key = @key`, params{"key": key}, &src); err != nil || !ok {
		return false, s.explain(err)
	}
	return true, json.Unmarshal([]byte(src), value)
}
