package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"whence/internal/learning"
)

// Prominent returns learnings that stand out: so many of those that helped most, were
// observed most and were observed last, each once.
func (s *Store) Prominent(ctx context.Context, project string, most int) ([]learning.Learning, error) {
	const each = `SELECT * FROM (SELECT seq FROM entries WHERE (source_project IS NULL OR source_project = $1) AND retired IS NULL ORDER BY %s DESC, seq DESC LIMIT $2) AS best`
	found, err := s.query(ctx, `WHERE e.seq IN (`+fmt.Sprintf(each, "influence_count")+` UNION `+fmt.Sprintf(each, "observation_count")+` UNION `+fmt.Sprintf(each, "updated_at")+`) ORDER BY e.seq`,
		project, most)
	if err != nil {
		return nil, fmt.Errorf("list the store: %w", err)
	}
	return found, nil
}

// Note keeps a value under a key, as JSON.
func (s *Store) Note(ctx context.Context, key string, value any) error {
	src, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return s.write(ctx, Counts, func(tx Conn) error {
		return setMeta(ctx, tx, key, string(src))
	})
}

func setMeta(ctx context.Context, tx Conn, key, value string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO meta (key, value) VALUES ($1, $2) `+tx.engine.OnConflict("key")+` DO UPDATE SET value = excluded.value`, key, value)
	return err
}

// Noted reads the value that is kept under a key; ok is false if there is none.
func (s *Store) Noted(ctx context.Context, key string, value any) (ok bool, err error) {
	var src string
	err = s.conn.QueryRowContext(ctx, `SELECT value FROM meta WHERE key = $1`, key).Scan(&src)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, json.Unmarshal([]byte(src), value)
}
