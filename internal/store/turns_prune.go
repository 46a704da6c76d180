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

// PruneOptions selects turns to delete: those that match all of it.
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

// where returns the condition for the selected rows of this login, with its arguments. Age is the
// column of their time.
func (o PruneOptions) where(e Engine, age string) (condition string, arguments []any) {
	all := []string{e.Own()}
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

// Prune deletes turns for good, on the disk too. Their UUIDs stay known: a transcript that is read
// again from its beginning does not bring them back. The states of transcripts are deleted as well:
// those of the session, or those not read since Before.
//
// Each session is a transaction of its own, so that others need not wait long. After an error some
// sessions may be pruned.
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

// prunable returns the sessions that have selected turns.
func (s *Store) prunable(ctx context.Context, o PruneOptions) (sessions []string, p Pruned, err error) {
	where, arguments := o.where(s.conn.engine, "created_at")
	err = s.conn.Each(ctx, `SELECT session, count(*), sum(octet_length(text)) FROM turns WHERE `+where+` GROUP BY session`, arguments, func(row Scanner) error {
		var session string
		var turns int
		var bytes int64
		err := row.Scan(&session, &turns, &bytes)
		sessions = append(sessions, session)
		p.Sessions, p.Turns, p.Bytes = p.Sessions+1, p.Turns+turns, p.Bytes+bytes
		return err
	})
	return sessions, p, err
}

func (s *Store) prune(ctx context.Context, sessions []string, o PruneOptions) error {
	for _, session := range sessions {
		only := o
		only.Session = session
		if err := s.write(ctx, TurnsLock, func(tx Conn) error { return pruneSession(ctx, tx, only) }); err != nil {
			return err
		}
	}
	err := s.write(ctx, TurnsLock, func(tx Conn) error {
		where, arguments := o.where(tx.engine, "updated_at")
		if err := tx.exec(ctx, `DELETE FROM transcripts WHERE `+where, arguments...); err != nil || o.Session == "" || !o.Before.IsZero() {
			return err
		}
		return forgetSession(ctx, tx, o.Session)
	})
	if err != nil || len(sessions) == 0 {
		return err
	}
	return s.compact(ctx, turnsTable)
}

// pruneSession deletes the selected turns of one session.
func pruneSession(ctx context.Context, tx Conn, o PruneOptions) error {
	where, arguments := o.where(tx.engine, "created_at")
	deleted := span{any: true}
	if _, err := tx.get(ctx, `SELECT coalesce(min(seq), 0), coalesce(max(seq), 0) FROM turns WHERE `+where, arguments, &deleted.first, &deleted.last); err != nil || deleted.last == 0 { // pruned by another process
		return err
	}
	if err := tx.exec(ctx, fmt.Sprintf(`UPDATE captured SET turn = NULL, digest = NULL, rank = $%d WHERE turn IN (SELECT seq FROM turns WHERE %s)`, len(arguments)+1, where), append(slices.Clip(arguments), int64(gone))...); err != nil {
		return err
	}
	if err := tx.exec(ctx, `DELETE FROM turns WHERE `+where, arguments...); err != nil {
		return err
	}
	return indexNearby(ctx, tx, o.Session, deleted)
}

// forgetSession deletes the change of a session, and keeps its dropped turns from coming back.
func forgetSession(ctx context.Context, tx Conn, session string) error {
	if err := tx.exec(ctx, `UPDATE captured SET rank = $1 WHERE session = $2 AND turn IS NULL`, int64(gone), session); err != nil {
		return err
	}
	if err := tx.exec(ctx, `UPDATE sessions SET change = '' WHERE id = $1`, session); err != nil {
		return err
	}
	// Turns of other projects are left.
	if err := tx.exec(ctx, `UPDATE turns SET change = '' WHERE session = $1`, session); err != nil {
		return err
	}
	return indexTurns(ctx, tx, session, 0, math.MaxInt64)
}
