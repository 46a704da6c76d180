package store

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"whence/internal/text"
)

// PruneOptions says which turns are to go: those that all of it means.
type PruneOptions struct {
	Before     time.Time `json:"before,omitzero"`      // older ones; zero: of any age
	Session    string    `json:"session,omitempty"`    // of this session; "": of all
	Project    string    `json:"project,omitempty"`    // of this project, and the global ones
	Alone      bool      `json:"alone,omitempty"`      // of this project alone; of "" the global ones
	Everywhere bool      `json:"everywhere,omitempty"` // of all projects
	DryRun     bool      `json:"dry_run,omitempty"`    // only count
}

// Pruned counts what was deleted, or would be.
type Pruned struct {
	Turns    int   `json:"turns"`
	Sessions int   `json:"sessions"` // of which there were any
	Bytes    int64 `json:"bytes"`    // of text
}

// where is the condition for what is meant of one's own, with its arguments.
func (o PruneOptions) where(own, age string) (condition string, arguments []any) {
	all := []string{own}
	add := func(condition string, argument any) {
		arguments = append(arguments, argument)
		all = append(all, fmt.Sprintf(condition, len(arguments)))
	}
	if !o.Before.IsZero() {
		add(age+` < $%d`, timeText(o.Before))
	}
	if o.Session != "" {
		add(`session = $%d`, o.Session)
	}
	switch {
	case o.Everywhere:
	case o.Alone:
		add(`project IS NOT DISTINCT FROM $%d`, nullable(o.Project))
	default:
		add(`(project IS NULL OR project = $%d)`, o.Project)
	}
	return strings.Join(all, " AND "), arguments
}

// Prune deletes turns for good, on the disk too. Their UUIDs stay known: a transcript that
// is read again, even from its beginning, does not bring them back. So how far transcripts
// were read is deleted as well, of those of a session, or those not read since Before.
//
// Each session is a transaction of its own, so that others need not wait long: where it
// fails, some are pruned.
func (s *Store) Prune(ctx context.Context, o PruneOptions) (p Pruned, err error) {
	o.Session = text.Clean(o.Session)
	sessions, p, err := s.prunable(ctx, o)
	if err == nil && !o.DryRun {
		err = s.prune(ctx, sessions, o)
	}
	if err != nil {
		return Pruned{}, fmt.Errorf("prune turns: %w", s.explained(err))
	}
	return p, nil
}

// prunable are the sessions with turns that are meant.
func (s *Store) prunable(ctx context.Context, o PruneOptions) (sessions []string, p Pruned, err error) {
	where, arguments := o.where(s.engine.Own(), "created_at")
	rows, err := s.conn.QueryContext(ctx, `SELECT session, count(*), sum(octet_length(text)) FROM turns WHERE `+where+` GROUP BY session`, arguments...)
	if err != nil {
		return nil, p, err
	}
	defer rows.Close()
	for rows.Next() {
		var session string
		var turns int
		var bytes int64
		if err := rows.Scan(&session, &turns, &bytes); err != nil {
			return nil, p, err
		}
		sessions = append(sessions, session)
		p.Turns, p.Bytes = p.Turns+turns, p.Bytes+bytes
	}
	p.Sessions = len(sessions)
	return sessions, p, rows.Err()
}

func (s *Store) prune(ctx context.Context, sessions []string, o PruneOptions) error {
	for _, session := range sessions {
		only := o
		only.Session = session
		if err := s.write(ctx, Turns, func(tx Conn) error { return pruneSession(ctx, tx, only) }); err != nil {
			return err
		}
	}
	err := s.write(ctx, Turns, func(tx Conn) error {
		where, arguments := o.where(s.engine.Own(), "updated_at")
		if _, err := tx.ExecContext(ctx, `DELETE FROM transcripts WHERE `+where, arguments...); err != nil || o.Session == "" || !o.Before.IsZero() {
			return err
		}
		return forgetSession(ctx, tx, o.Session)
	})
	if err != nil || len(sessions) == 0 {
		return err
	}
	return s.engine.Compact(ctx, s)
}

// pruneSession deletes turns of one session.
func pruneSession(ctx context.Context, tx Conn, o PruneOptions) error {
	where, arguments := o.where(tx.engine.Own(), "created_at")
	hole := span{any: true}
	err := tx.QueryRowContext(ctx, `SELECT coalesce(min(seq), 0), coalesce(max(seq), 0) FROM turns WHERE `+where, arguments...).Scan(&hole.first, &hole.last)
	if err != nil || hole.last == 0 { // somebody else has been here
		return err
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf(`UPDATE captured SET turn = NULL, digest = NULL, rank = $%d WHERE turn IN (SELECT seq FROM turns WHERE %s)`, len(arguments)+1, where), append(slices.Clip(arguments), int64(gone))...); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM turns WHERE `+where, arguments...); err != nil {
		return err
	}
	return indexNearby(ctx, tx, o.Session, hole)
}

// forgetSession has nothing of a session come back, and its change unknown.
func forgetSession(ctx context.Context, tx Conn, session string) error {
	for _, change := range []struct {
		statement string
		arguments []any
	}{
		{`UPDATE captured SET rank = $1 WHERE session = $2 AND turn IS NULL`, []any{int64(gone), session}},
		{`UPDATE sessions SET change = '' WHERE id = $1`, []any{session}},
		{`UPDATE turns SET change = '' WHERE session = $1`, []any{session}}, // of another project
	} {
		if _, err := tx.ExecContext(ctx, change.statement, change.arguments...); err != nil {
			return err
		}
	}
	return indexTurns(ctx, tx, session, 0, math.MaxInt64)
}
