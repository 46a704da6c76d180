package store

import (
	"context"
	"database/sql"
)

// Gone returns the UUIDs of turns that are never to be stored: they were said while capture was off, or
// pruned.
func (s *Store) Gone(ctx context.Context, turns []Turn) (gone []string, err error) {
	uuids := make([]string, len(turns))
	for i, t := range turns {
		uuids[i] = t.UUID
	}
	err = conn{s.db}.each(ctx, `SELECT uuid FROM gone WHERE uuid IN (SELECT value FROM json_each(@uuids))`, params{"uuids": uuids}, func(row *sql.Rows) error {
		var uuid string
		err := row.Scan(&uuid)
		gone = append(gone, uuid)
		return err
	})
	return gone, s.wrap("look for turns", err)
}

// addGone records turns that are never to be stored (again).
func addGone(ctx context.Context, tx conn, uuids []string) error {
	return tx.exec(ctx, `INSERT INTO gone (uuid) SELECT value FROM json_each(@uuids) WHERE true ON CONFLICT DO NOTHING`, params{"uuids": uuids})
}
