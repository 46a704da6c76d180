package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// keeper decides, turn by turn, which turns of sessions are stored, and where each is counted.
type keeper struct {
	ctx      context.Context
	tx       Conn
	maxTurns int  // of a session
	shared   bool // with the team
	sessions map[string]*sessionState
}

// sessionState is a session within a transaction.
type sessionState struct {
	change       string
	turns        int // stored
	eventAnswers []eventAnswer
	changed      span
}

// eventAnswer is an answer that came with an event and is not in any turn yet.
type eventAnswer struct {
	seq        int64
	role, text string
}

// eventAnswerPrefix begins the UUID of an eventAnswer.
const eventAnswerPrefix = "told:"

// gone is the rank of a pruned turn: none is higher.
const gone = math.MaxInt64

func newKeeper(ctx context.Context, tx Conn, maxTurns int) *keeper {
	return &keeper{ctx: ctx, tx: tx, maxTurns: maxTurns, sessions: map[string]*sessionState{}}
}

// own returns the condition that a turn belongs to this login: a colleague may have shared turns
// of a session with the same id.
func (k *keeper) own() string { return k.tx.engine.Own() }

func (k *keeper) exec(statement string, arguments ...any) error {
	return k.tx.exec(k.ctx, statement, arguments...)
}

func (k *keeper) get(query string, arguments []any, into ...any) (found bool, err error) {
	return k.tx.get(k.ctx, query, arguments, into...)
}

func (k *keeper) session(id string) (*sessionState, error) {
	if s := k.sessions[id]; s != nil {
		return s, nil
	}
	s := &sessionState{}
	if _, err := k.get(`SELECT coalesce((SELECT change FROM sessions WHERE id = $1), ''), (SELECT count(*) FROM turns WHERE session = $1 AND `+k.own()+`)`, []any{id}, &s.change, &s.turns); err != nil {
		return nil, err
	}
	var err error
	s.eventAnswers, err = Collect(k.ctx, k.tx, func(row Scanner) (a eventAnswer, err error) {
		err = row.Scan(&a.seq, &a.role, &a.text)
		return a, err
	}, `SELECT seq, role, text FROM turns WHERE session = $1 AND substr(uuid, 1, 5) = '`+eventAnswerPrefix+`' AND `+k.own(), id)
	k.sessions[id] = s
	return s, err
}

// index updates the full-text index of the changed sessions, from front to back, which is fastest.
func (k *keeper) index() error {
	ids := slices.SortedFunc(maps.Keys(k.sessions), func(a, b string) int {
		return cmp.Or(cmp.Compare(k.sessions[a].changed.first, k.sessions[b].changed.first), cmp.Compare(a, b))
	})
	for _, id := range ids {
		if err := indexNearby(k.ctx, k.tx, id, k.sessions[id].changed); err != nil {
			return err
		}
	}
	return nil
}

// setChange records that a session works on a change. Its turns are found by that name.
func (k *keeper) setChange(session, change string) error {
	change = changeName(change)
	if change == "" {
		return nil
	}
	s, err := k.session(session)
	if err != nil || s.change != "" && s.change <= change {
		return err
	}
	s.change = change
	s.changed = span{true, 0, math.MaxInt64}
	if err := k.exec(`INSERT INTO sessions (id, change, updated_at) VALUES ($1, $2, $3) `+k.tx.engine.OnConflict("id")+` DO UPDATE SET change = excluded.change`, session, change, timeText(time.Now())); err != nil {
		return err
	}
	return k.exec(`UPDATE turns SET change = $1 WHERE session = $2`, change, session)
}

// ignore records a UUID without storing the turn.
func (k *keeper) ignore(session, uuid string, rank int64) error {
	return k.exec(`INSERT INTO captured (uuid, session, rank) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, uuid, session, rank)
}

// take stores or counts a turn. IsNew reports whether its UUID and text were unknown.
func (k *keeper) take(t Turn) (isNew bool, err error) {
	if t.Text == "" {
		return false, nil
	}
	s, err := k.session(t.Session)
	if err != nil {
		return false, err
	}
	if t.UUID == "" {
		t.UUID = fmt.Sprintf("text:%016x", uint64(digest(t.Session, t.Text)))
	}
	wasAnswer, err := k.dropEventAnswers(s, t)
	if err != nil {
		return false, err
	}
	var seq, rank int64
	var row sql.NullInt64
	var session string
	known, err := k.get(`SELECT seq, session, turn, rank FROM captured WHERE uuid = $1`, []any{t.UUID}, &seq, &session, &row, &rank)
	switch {
	case err != nil:
		return false, err
	case !known:
		return !wasAnswer, k.add(s, t)
	case row.Valid:
		return false, k.update(seq, row.Int64, t)
	case int64(t.Rank) <= rank:
		return false, nil
	}
	t.Session = session
	if s, err = k.session(session); err != nil {
		return false, err
	}
	return false, k.place(s, seq, t)
}

// storeEventAnswer stores an answer that came with an event, unless a turn of the session has it.
func (k *keeper) storeEventAnswer(t Turn) (isNew bool, err error) {
	if t.Text == "" {
		return false, nil
	}
	s, err := k.session(t.Session)
	if err != nil {
		return false, err
	}
	sum := digest(t.Session, t.Text)
	t.UUID, t.Fold = fmt.Sprintf("%s%016x", eventAnswerPrefix, uint64(sum)), ""
	// An answer of several parts may contain it.
	known, err := k.get(`SELECT 1 WHERE EXISTS (SELECT 1 FROM captured WHERE digest = $1) OR EXISTS (SELECT 1 FROM captured WHERE uuid = $2)
		OR EXISTS (SELECT 1 FROM turns WHERE session = $3 AND role = $4 AND instr(text, $5) > 0 AND `+k.own()+`)`,
		[]any{sum, t.UUID, t.Session, t.Role, t.Text}, new(int))
	if err != nil || known {
		return false, err
	}
	return true, k.add(s, t)
}

// dropEventAnswers drops the event answers that a turn contains, and reports whether there were any.
func (k *keeper) dropEventAnswers(s *sessionState, t Turn) (dropped bool, err error) {
	for _, a := range slices.Clone(s.eventAnswers) {
		if a.role != t.Role || !strings.Contains(t.Text, a.text) {
			continue
		}
		dropped = true
		if err := k.drop(s, a.seq); err != nil {
			return dropped, err
		}
		if err := k.exec(`DELETE FROM captured WHERE seq = $1`, a.seq); err != nil {
			return dropped, err
		}
	}
	return dropped, nil
}

// add stores a turn with a new UUID.
func (k *keeper) add(s *sessionState, t Turn) error {
	var seq int64
	if _, err := k.get(`INSERT INTO captured (uuid, session, rank) VALUES ($1, $2, $3) RETURNING seq`, []any{t.UUID, t.Session, t.Rank}, &seq); err != nil {
		return err
	}
	return k.place(s, seq, t)
}

// place counts a turn that is in no row: in that of its equals, or in a row of its own.
func (k *keeper) place(s *sessionState, seq int64, t Turn) error {
	if t.Fold != "" {
		var row int64
		equal, err := k.get(`SELECT seq FROM turns WHERE session = $1 AND fold = $2 AND fold != '' AND personal = $3 AND `+k.own(), []any{t.Session, t.Fold, !k.shared}, &row)
		if err != nil {
			return err
		}
		if equal {
			return k.join(s, seq, row, t)
		}
	}
	if err := k.assign(seq, seq, t); err != nil {
		return err
	}
	if err := k.exec(`INSERT INTO turns (personal, seq, session, uuid, role, kind, text, fold, rank, change, project, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		!k.shared, seq, t.Session, t.UUID, t.Role, t.Kind, t.Text, t.Fold, t.Rank, s.change, nullable(t.Project), timeText(t.At)); err != nil {
		return err
	}
	if strings.HasPrefix(t.UUID, eventAnswerPrefix) {
		s.eventAnswers = append(s.eventAnswers, eventAnswer{seq, t.Role, t.Text})
	}
	s.turns++
	s.changed.add(seq)
	if s.turns <= k.maxTurns {
		return nil
	}
	var lowest int64
	if _, err := k.get(`SELECT seq FROM turns WHERE session = $1 AND `+k.own()+` ORDER BY rank, seq DESC LIMIT 1`, []any{t.Session}, &lowest); err != nil {
		return err
	}
	return k.drop(s, lowest)
}

// assign records the row in which a turn is counted.
func (k *keeper) assign(seq, row int64, t Turn) error {
	return k.exec(`UPDATE captured SET turn = $1, rank = $2, digest = $3 WHERE seq = $4`, row, t.Rank, digest(t.Session, t.Text), seq)
}

// join counts a turn in the row of its equals, which has the place and text of the first of them.
func (k *keeper) join(s *sessionState, seq, row int64, t Turn) error {
	if seq < row {
		if err := k.move(s, row, seq); err != nil {
			return err
		}
		if err := k.exec(`UPDATE turns SET uuid = $1, role = $2, kind = $3, text = $4, created_at = $5 WHERE seq = $6`, t.UUID, t.Role, t.Kind, t.Text, timeText(t.At), seq); err != nil {
			return err
		}
		row = seq
	}
	if err := k.count(row, int64(t.Rank)); err != nil {
		return err
	}
	return k.assign(seq, row, t)
}

// count counts one more turn in a row.
func (k *keeper) count(row, rank int64) error {
	return k.exec(`UPDATE turns SET count = count + 1, rank = CASE WHEN rank < $1 THEN $1 ELSE rank END WHERE seq = $2`, rank, row)
}

// move gives a row the number of another of its turns.
func (k *keeper) move(s *sessionState, row, to int64) error {
	s.changed.add(row)
	s.changed.add(to)
	if err := k.exec(`UPDATE turns SET seq = $1 WHERE seq = $2`, to, row); err != nil {
		return err
	}
	return k.exec(`UPDATE captured SET turn = $1 WHERE turn = $2`, to, row)
}

// drop deletes a row. The UUIDs of its turns stay known.
func (k *keeper) drop(s *sessionState, row int64) error {
	s.turns--
	s.changed.add(row)
	s.eventAnswers = slices.DeleteFunc(s.eventAnswers, func(a eventAnswer) bool { return a.seq == row })
	if err := k.exec(`UPDATE captured SET turn = NULL, digest = NULL WHERE turn = $1`, row); err != nil {
		return err
	}
	return k.exec(`DELETE FROM turns WHERE seq = $1`, row)
}

// update takes a turn again that is counted in a row.
func (k *keeper) update(seq, row int64, t Turn) error {
	var old Turn
	var project sql.NullString
	if _, err := k.get(`SELECT session, role, kind, text, fold, rank, count, project FROM turns WHERE seq = $1`, []any{row},
		&old.Session, &old.Role, &old.Kind, &old.Text, &old.Fold, &old.Rank, &old.Count, &project); err != nil {
		return err
	}
	same := old.Text == t.Text && old.Fold == t.Fold && old.Kind == t.Kind && old.Role == t.Role
	if same && old.Rank == t.Rank || len(t.Text) < len(old.Text) && strings.HasPrefix(old.Text, t.Text) {
		return nil
	}
	t.Session, t.Project = old.Session, project.String
	s, err := k.session(t.Session)
	if err != nil {
		return err
	}
	if t.Fold != old.Fold || t.Fold == "" {
		return k.leave(s, seq, row, old.Count, t)
	}
	if seq == row { // the row has the text of this one
		if err := k.exec(`UPDATE turns SET personal = personal OR $1, role = $2, kind = $3, text = $4 WHERE seq = $5`, !k.shared, t.Role, t.Kind, t.Text, row); err != nil {
			return err
		}
		s.changed.add(row)
	}
	if err := k.assign(seq, row, t); err != nil {
		return err
	}
	return k.setRank(row)
}

// setRank gives a row the highest rank of its turns.
func (k *keeper) setRank(row int64) error {
	return k.exec(`UPDATE turns SET rank = (SELECT max(rank) FROM captured WHERE turn = turns.seq) WHERE seq = $1`, row)
}

// leave removes a turn that has changed from a row of count turns, and places it anew. The others
// keep the text of the row.
func (k *keeper) leave(s *sessionState, seq, row int64, count int, t Turn) error {
	if err := k.exec(`UPDATE captured SET turn = NULL WHERE seq = $1`, seq); err != nil {
		return err
	}
	s.changed.add(row)
	if count == 1 {
		s.turns--
		if err := k.exec(`DELETE FROM turns WHERE seq = $1`, row); err != nil {
			return err
		}
		return k.place(s, seq, t)
	}
	if seq == row {
		var heir int64
		if _, err := k.get(`SELECT min(seq) FROM captured WHERE turn = $1`, []any{row}, &heir); err != nil {
			return err
		}
		if err := k.move(s, row, heir); err != nil {
			return err
		}
		if err := k.exec(`UPDATE turns SET uuid = (SELECT uuid FROM captured WHERE seq = $1) WHERE seq = $1`, heir); err != nil {
			return err
		}
		row = heir
	}
	if err := k.exec(`UPDATE turns SET count = count - 1 WHERE seq = $1`, row); err != nil {
		return err
	}
	if err := k.setRank(row); err != nil {
		return err
	}
	return k.place(s, seq, t)
}

// digest returns a hash that distinguishes the texts of a session.
func digest(session, text string) int64 {
	sum := sha256.Sum256([]byte(session + "\x00" + text))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}
