package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"whence/internal/learning"
	"whence/internal/text"
)

// Mode says what an agent may store of its own accord.
type Mode string

// The modes.
const (
	AskFirst Mode = "ask-first" // nothing before the user has agreed
	Silent   Mode = "silent"    // up to the budget of the session, then as ask-first
	Off      Mode = "off"       // nothing, and nothing is to be proposed
)

// Approval is the answer of the user about a learning that an agent wants to store.
type Approval int

// The approvals.
const (
	Unasked Approval = iota
	Approved
	Rejected
)

// Decision is the outcome for a learning that an agent wanted to store.
type Decision int

// The decisions.
const (
	Stored         Decision = iota // or reinforced: the user has agreed
	Silently                       // the same, unasked
	Proposed                       // not stored: ask the user
	OverBudget                     // not stored: silent captures are used up; ask the user
	Discarded                      // not stored: the user has just rejected it
	RejectedBefore                 // not stored: the user has rejected it in this session
	SwitchedOff                    // not stored: the mode is Off
)

// Policy is the part of the settings that limits what an agent may store.
type Policy struct {
	Mode   Mode
	Budget int // silent captures a session
}

// Capture stores a learning that an agent wants to store, if the policy allows it. A
// silent capture counts against the budget of the session in the same transaction: of
// any number of processes, none goes beyond it, and a capture that fails does not count.
// What the user rejects stays rejected in this session, in other words too, until the
// user approves of it. Agents without a session share one, "".
func (s *Store) Capture(ctx context.Context, l learning.Learning, o Observation, p Policy, approval Approval) (decision Decision, out Outcome, err error) {
	l.Description = text.Clean(l.Description)
	o = o.stored()
	err = s.write(ctx, Learnings, func(tx Conn) error {
		decision, err = decide(ctx, tx, l, o, p, approval)
		if err != nil || decision != Stored && decision != Silently {
			return err
		}
		o.Revive, o.Vetted = decision == Stored, decision == Stored
		out, err = put(ctx, tx, l, o, false)
		return err
	})
	if err != nil {
		return 0, Outcome{}, fmt.Errorf("store the learning: %w", err)
	}
	return decision, out, nil
}

func decide(ctx context.Context, tx Conn, l learning.Learning, o Observation, p Policy, approval Approval) (Decision, error) {
	key := folded(l.Description)
	switch approval {
	case Approved:
		same, err := rejections(ctx, tx, o.Session, key, l.Description)
		for _, key := range same {
			if _, err := tx.ExecContext(ctx, `DELETE FROM rejections WHERE session = $1 AND folded = $2`, o.Session, key); err != nil {
				return 0, err
			}
		}
		return Stored, err
	case Rejected:
		_, err := tx.ExecContext(ctx, `INSERT INTO rejections (session, folded, text, at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
			o.Session, key, l.Description, timeText(o.At))
		return Discarded, err
	}
	if p.Mode == Off {
		return SwitchedOff, nil
	}
	same, err := rejections(ctx, tx, o.Session, key, l.Description)
	if err != nil || len(same) > 0 {
		return RejectedBefore, err
	}
	if p.Mode != Silent {
		return Proposed, nil
	}
	result, err := tx.ExecContext(ctx, `INSERT INTO sessions (id, silent_captures, updated_at) SELECT $1, 1, $2 WHERE $3 > 0
		`+tx.engine.OnConflict("id")+` DO UPDATE SET silent_captures = sessions.silent_captures + 1, updated_at = excluded.updated_at WHERE sessions.silent_captures < $4`,
		o.Session, timeText(o.At), p.Budget, p.Budget)
	if err != nil {
		return 0, err
	}
	if counted, err := result.RowsAffected(); err != nil || counted == 0 {
		return OverBudget, err
	}
	return Silently, nil
}

// rejections are the keys under which the user has turned an insight down in a session,
// in these words or nearly these.
func rejections(ctx context.Context, tx Conn, session, key, description string) (keys []string, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT folded, text FROM rejections WHERE session = $1`, session)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	statement := learning.Read(description)
	for rows.Next() {
		var k, text string
		if err := rows.Scan(&k, &text); err != nil {
			return nil, err
		}
		if k == key || learning.Read(text).Compare(statement) == learning.NearDuplicate {
			keys = append(keys, k)
		}
	}
	return keys, rows.Err()
}

// SilentCaptures is how many there have been in a session.
func (s *Store) SilentCaptures(ctx context.Context, session string) (n int, err error) {
	err = s.conn.QueryRowContext(ctx, `SELECT silent_captures FROM sessions WHERE id = $1`, text.Clean(session)).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return n, err
}
