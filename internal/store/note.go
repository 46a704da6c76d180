package store

import (
	"context"
	"encoding/json"
)

// Note stores a value under a key, as JSON.
func (s *Store) Note(ctx context.Context, key string, value any) error {
	src, err := json.Marshal(value)
	if err != nil {
		return err
	}
	err = s.write(ctx, func(tx conn) error {
		return tx.exec(ctx, `INSERT INTO meta (key, value) VALUES (@key, @value) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
			params{"key": key, "value": string(src)})
	})
	return s.explain(err)
}

// Noted reads the value that is stored under a key; ok is false if there is none.
func (s *Store) Noted(ctx context.Context, key string, value any) (ok bool, err error) {
	var src string
	if ok, err = s.conn.get(ctx, `SELECT value FROM meta WHERE key = @key`, params{"key": key}, &src); err != nil || !ok {
		return false, s.explain(err)
	}
	return true, json.Unmarshal([]byte(src), value)
}
