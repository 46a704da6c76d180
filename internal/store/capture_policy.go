package store

import (
	"context"

	"whence/internal/inert"
	"whence/internal/learning"
)

// Mode says what an agent may store without asking.
type Mode string

// The modes.
const (
	AskFirst Mode = "ask-first" // nothing
	Silent   Mode = "silent"    // up to the budget of the session, then as ask-first
	Off      Mode = "off"       // nothing, and it must not propose anything
)

// Approval is the user's answer to a proposed learning.
type Approval int

// The approvals.
const (
	Unasked Approval = iota
	Approved
	Rejected
)

// Decision says what Capture did with a learning.
type Decision int

// The decisions.
const (
	Stored         Decision = iota // or reinforced: the user approved it
	Silently                       // stored or reinforced without asking
	Proposed                       // ask the user
	OverBudget                     // silent captures are used up: ask the user
	Discarded                      // the user has just rejected it
	RejectedBefore                 // the user has rejected it in this session
	SwitchedOff                    // the mode is Off
)

// Policy limits what an agent may store.
type Policy struct {
	Mode   Mode
	Budget int // silent captures per session
}

// Capture stores a learning of an agent if the policy allows it. A silent capture is counted against the
// session's budget in the same transaction, so concurrent processes cannot exceed the budget, and a failed
// capture does not count. A rejection holds for the session until the user approves. Agents without a
// session id share the session "".
func (s *Store) Capture(ctx context.Context, l learning.Learning, o Observation, p Policy, approval Approval) (decision Decision, out Outcome, err error) {
	l.Description = inert.Clean(l.Description)
	o.At, o.Session = storedTime(o.At), inert.Clean(o.Session)
	err = s.write(ctx, func(tx conn) error {
		decision, err = decide(ctx, tx, l, o, p, approval)
		if err != nil || decision != Stored && decision != Silently {
			return err
		}
		o.Vetted = decision == Stored
		out, err = put(ctx, tx, l, o)
		return err
	})
	if err != nil {
		return 0, Outcome{}, s.wrap("store the learning", err)
	}
	return decision, out, nil
}

func decide(ctx context.Context, tx conn, l learning.Learning, o Observation, policy Policy, approval Approval) (Decision, error) {
	p := params{"session": o.Session, "folded": folded(l.Description), "at": o.At, "budget": policy.Budget}
	if approval == Rejected {
		return Discarded, tx.exec(ctx, `INSERT INTO rejections (session, folded, at) VALUES (@session, @folded, @at) ON CONFLICT DO NOTHING`, p)
	}
	if approval == Unasked && policy.Mode == Off {
		return SwitchedOff, nil
	}
	if approval == Approved {
		return Stored, tx.exec(ctx, `DELETE FROM rejections WHERE session = @session AND folded = @folded`, p)
	}
	rejected, err := tx.get(ctx, `SELECT 1 FROM rejections WHERE session = @session AND folded = @folded`, p, new(int))
	if err != nil {
		return 0, err
	}
	if rejected {
		return RejectedBefore, nil
	}
	if policy.Mode != Silent {
		return Proposed, nil
	}
	counted, err := tx.count(ctx, `INSERT INTO sessions (id, silent_captures, updated_at) SELECT @session, 1, @at WHERE @budget > 0
		ON CONFLICT (id) DO UPDATE SET silent_captures = silent_captures + 1, updated_at = excluded.updated_at
		WHERE silent_captures < @budget`, p)
	if err != nil || counted == 0 {
		return OverBudget, err
	}
	return Silently, nil
}

// SilentCaptures returns the number of silent captures in a session.
func (s *Store) SilentCaptures(ctx context.Context, session string) (n int, err error) {
	_, err = s.conn.get(ctx, `SELECT silent_captures FROM sessions WHERE id = @session`, params{"session": inert.Clean(session)}, &n)
	return n, s.explain(err)
}
