package store

import (
	"context"
	"encoding/json"
	"fmt"

	"whence/internal/learning"
)

// Prominent returns the learnings that were observed most and were observed last: at
// most a number of each kind, without duplicates.
func (s *Store) Prominent(ctx context.Context, project string, most int) ([]learning.Learning, error) {
	best := func(column string) string {
		return fmt.Sprintf(`SELECT * FROM (SELECT seq FROM entries WHERE (source_project IS NULL OR source_project = $1) AND retired IS NULL ORDER BY %s DESC, seq DESC LIMIT %d) AS best`, column, most)
	}
	found, err := s.list(ctx, `WHERE e.seq IN (`+best("observation_count")+` UNION `+best("updated_at")+`) ORDER BY e.seq`, project)
	return found, wrap("list the store", err)
}

// Note stores a value under a key, as JSON.
func (s *Store) Note(ctx context.Context, key string, value any) error {
	src, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return s.write(ctx, NoLock, func(tx Conn) error {
		return setMeta(ctx, tx, key, string(src))
	})
}

func setMeta(ctx context.Context, tx Conn, key, value string) error {
	return tx.exec(ctx, `INSERT INTO meta (key, value) VALUES ($1, $2) `+tx.engine.OnConflict("key")+` DO UPDATE SET value = excluded.value`, key, value)
}

// Noted reads the value that is stored under a key; ok is false if there is none.
func (s *Store) Noted(ctx context.Context, key string, value any) (ok bool, err error) {
	var src string
	if ok, err = s.conn.get(ctx, `SELECT value FROM meta WHERE key = $1`, []any{key}, &src); err != nil || !ok {
		return false, err
	}
	return true, json.Unmarshal([]byte(src), value)
}
