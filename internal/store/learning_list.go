package store

import (
	"context"
	"encoding/json"
	"fmt"

	"whence/internal/learning"
)

// Filter selects learnings.
type Filter struct {
	Scope
	Category learning.Category // "": all
	Max      int               // 0: all
}

// where returns the clauses of a filter, and their parameters.
func (f Filter) where() (clauses string, p params) {
	p = f.params()
	p["category"], p["max"] = string(f.Category), f.Max
	if f.Max <= 0 {
		p["max"] = -1
	}
	return `WHERE ` + visible + ` AND @category IN ('', e.category)`, p
}

// List returns the selected learnings, the newest first.
func (s *Store) List(ctx context.Context, f Filter) ([]learning.Learning, error) {
	where, p := f.where()
	return s.list(ctx, where+` ORDER BY e.created_at DESC, e.seq DESC LIMIT @max`, p)
}

// Count returns the number of selected learnings, at most Max.
func (s *Store) Count(ctx context.Context, f Filter) (n int, err error) {
	where, p := f.where()
	_, err = conn{s.db}.get(ctx, `SELECT count(*) FROM (SELECT 1 FROM entries e `+where+` LIMIT @max)`, p, &n)
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
