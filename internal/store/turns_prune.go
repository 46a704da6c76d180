package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"time"

	"whence/internal/inert"
)

// PruneOptions selects the turns to delete: those that meet all conditions.
type PruneOptions struct {
	Before     time.Time // said before this time; zero: of any age
	Session    string    // of this session; "": of all
	Project    string    // of this repository
	Everywhere bool      // of all repositories
	DryRun     bool      // only count
}

// Pruned counts what was deleted, or would be.
type Pruned struct {
	Turns    int
	Sessions int   // that these turns belong to
	Bytes    int64 // of their texts
}

// Prune deletes turns for good, also on the disk. They do not come back when a transcript is read
// again. The function withoutText removes what was said from the state of a transcript.
func (s *Store) Prune(ctx context.Context, o PruneOptions, withoutText func(state []byte) []byte) (p Pruned, err error) {
	where := `(@before IS NULL OR created_at < @before) AND @session IN ('', session) AND (@everywhere OR project = @project)`
	selected := params{"before": timeText(o.Before), "session": o.Session, "everywhere": o.Everywhere, "project": o.Project}
	_, err = s.conn.get(ctx, `SELECT count(*), count(DISTINCT session), coalesce(sum(octet_length(text)), 0) FROM turns WHERE `+where,
		selected, &p.Turns, &p.Sessions, &p.Bytes)
	if err != nil || o.DryRun {
		return p, s.wrap("prune turns", err)
	}
	states, err := s.conn.strippedStates(ctx, where, selected, withoutText)
	if err != nil || p.Turns+len(states) == 0 { // the usual case: no other process has to wait
		return p, s.wrap("prune turns", err)
	}
	err = s.write(ctx, func(tx conn) error {
		states, err := tx.strippedStates(ctx, where, selected, withoutText) // a worker may have read on
		for path, after := range states {
			err = errors.Join(err, tx.exec(ctx, `UPDATE transcripts SET state = @after WHERE path = @path`, params{"path": path, "after": after}))
		}
		return errors.Join(err,
			tx.exec(ctx, `INSERT INTO gone (uuid) SELECT uuid FROM turns WHERE `+where+` ON CONFLICT DO NOTHING`, selected),
			tx.exec(ctx, `DELETE FROM turns WHERE `+where, selected))
	})
	if err == nil {
		err = s.compact(ctx, "turns")
	}
	return p, s.wrap("prune turns", err)
}

// strippedStates returns, by the path of the transcript, the states that contain text, without that text. It looks at
// transcripts of sessions with a turn to delete, and at those whose last event is as old: a state may also contain text
// that became no turn.
func (c conn) strippedStates(ctx context.Context, where string, selected params, withoutText func([]byte) []byte) (map[string][]byte, error) {
	states := map[string][]byte{}
	err := c.each(ctx, `SELECT path, state FROM transcripts WHERE state IS NOT NULL AND (
			session IN (SELECT session FROM turns WHERE `+where+`)
			OR (@before IS NULL OR seen_at < @before) AND @session IN ('', session) AND (@everywhere OR project = @project))`, selected,
		func(row *sql.Rows) error {
			var path string
			var state []byte
			err := row.Scan(&path, &state)
			if after := withoutText(state); !bytes.Equal(after, state) {
				states[path] = after
			}
			return err
		})
	return states, err
}

// compact rewrites the index of a table, so that it holds no words of what was deleted, and writes the
// log into the file.
func (s *Store) compact(ctx context.Context, table string) error {
	err := s.write(ctx, func(tx conn) error {
		return tx.exec(ctx, `INSERT INTO `+table+`_fts (`+table+`_fts) VALUES ('optimize')`, nil)
	})
	if err != nil {
		return err
	}
	return s.conn.exec(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`, nil)
}

// Gone returns those of the UUIDs, of records or turns, that must never be stored: they were said while capture was
// off, or pruned.
func (s *Store) Gone(ctx context.Context, uuids []string) (gone []string, err error) {
	err = s.conn.each(ctx, `SELECT uuid FROM gone WHERE uuid IN (SELECT value FROM json_each(@uuids))`, params{"uuids": cleaned(uuids)}, func(row *sql.Rows) error {
		var uuid string
		err := row.Scan(&uuid)
		gone = append(gone, uuid)
		return err
	})
	return gone, s.wrap("look for turns", err)
}

// AnyGone reports whether Gone may return anything.
func (s *Store) AnyGone(ctx context.Context) (found bool, err error) {
	found, err = s.conn.get(ctx, `SELECT 1 FROM gone LIMIT 1`, nil, new(int))
	return found, s.wrap("look for turns", err)
}

// addGone records UUIDs that must never be stored. A turn that is stored already stays, but no longer grows.
func addGone(ctx context.Context, tx conn, uuids []string) error {
	return tx.exec(ctx, `INSERT INTO gone (uuid) SELECT value FROM json_each(@uuids) WHERE true ON CONFLICT DO NOTHING`, params{"uuids": cleaned(uuids)})
}

func cleaned(uuids []string) []string {
	clean := make([]string, len(uuids))
	for i, uuid := range uuids {
		clean[i] = inert.Clean(uuid)
	}
	return clean
}
