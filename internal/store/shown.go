package store

import (
	"context"
	"time"
)

// AddShown records that learnings were put before an agent in a repository. An event calls it, and does
// not wait for [Store.CountShown].
func (s *Store) AddShown(ctx context.Context, project string, ids []string, at time.Time) error {
	err := s.write(ctx, func(tx conn) error {
		return tx.exec(ctx, `INSERT INTO shown (id, project, at) SELECT value, @project, @at FROM json_each(@ids)`,
			params{"project": project, "ids": ids, "at": storedTime(at)})
	})
	return s.wrap("record what was shown", err)
}

// CountShown counts what AddShown has recorded, once.
func (s *Store) CountShown(ctx context.Context) error {
	if some, err := (conn{s.db}).get(ctx, `SELECT 1 FROM shown LIMIT 1`, nil, new(int)); err != nil || !some {
		return s.wrap("count what was shown", err)
	}
	err := s.write(ctx, func(tx conn) error {
		const of = ` FROM shown s WHERE s.id = e.id AND (e.source_project IS NULL OR e.source_project = s.project)`
		err := tx.exec(ctx, `UPDATE entries AS e SET recall_count = recall_count + (SELECT count(*)`+of+`),
			last_recalled_at = nullif(max(coalesce(last_recalled_at, ''), coalesce((SELECT max(s.at)`+of+`), '')), '')
			WHERE id IN (SELECT id FROM shown)`, nil)
		if err != nil {
			return err
		}
		return tx.exec(ctx, `DELETE FROM shown`, nil)
	})
	return s.wrap("count what was shown", err)
}
