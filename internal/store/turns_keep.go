package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// keeper decides, turn by turn, what is kept of sessions.
type keeper struct {
	ctx      context.Context
	tx       Conn
	most     int  // turns of a session
	shared   bool // with the team
	sessions map[string]*kept
}

// kept is the state of a session within a transaction.
type kept struct {
	change  string
	turns   int
	told    []eventAnswer
	changed span
}

// eventAnswer is an answer that came with an event and that no turn holds yet.
type eventAnswer struct {
	seq        int64
	role, text string
}

// eventAnswerMark is the prefix of the UUID of such an answer.
const eventAnswerMark = "told:"

// gone is the rank of a turn that was pruned: none is higher.
const gone = math.MaxInt64

// own is the condition on turns that they are of whom the session is: a colleague may have
// shared some of one with the same name.
func (k *keeper) own() string { return k.tx.engine.Own() }

func (k *keeper) exec(statement string, arguments ...any) error {
	_, err := k.tx.ExecContext(k.ctx, statement, arguments...)
	return err
}

// scan reads one row; ok is false if there is none.
func (k *keeper) scan(query string, argument []any, into ...any) (ok bool, err error) {
	err = k.tx.QueryRowContext(k.ctx, query, argument...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// session returns the state of a session.
func (k *keeper) session(id string) (*kept, error) {
	if s := k.sessions[id]; s != nil {
		return s, nil
	}
	s := &kept{}
	if _, err := k.scan(`SELECT change FROM sessions WHERE id = $1`, []any{id}, &s.change); err != nil {
		return nil, err
	}
	if _, err := k.scan(`SELECT count(*) FROM turns WHERE session = $1 AND `+k.own(), []any{id}, &s.turns); err != nil {
		return nil, err
	}
	rows, err := k.tx.QueryContext(k.ctx, `SELECT seq, role, text FROM turns WHERE session = $1 AND substr(uuid, 1, 5) = '`+eventAnswerMark+`' AND `+k.own(), id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var a eventAnswer
		if err := rows.Scan(&a.seq, &a.role, &a.text); err != nil {
			return nil, err
		}
		s.told = append(s.told, a)
	}
	k.sessions[id] = s
	return s, rows.Err()
}

// inOrder are the sessions of the transaction. The full-text index is written fastest from
// front to back.
func (k *keeper) inOrder() []string {
	return slices.SortedFunc(maps.Keys(k.sessions), func(a, b string) int {
		return cmp.Or(cmp.Compare(k.sessions[a].changed.first, k.sessions[b].changed.first), cmp.Compare(a, b))
	})
}

// index brings the full-text index up to date where sessions have changed.
func (k *keeper) index() error {
	for _, session := range k.inOrder() {
		if err := indexNearby(k.ctx, k.tx, session, k.sessions[session].changed); err != nil {
			return err
		}
	}
	return nil
}

// setChange notes that a session works on a change. Its turns get the name, as words to be
// found by.
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
	if err := k.exec(`INSERT INTO sessions (id, change, updated_at) VALUES ($1, $2, $3) `+k.tx.engine.OnConflict("id")+` DO UPDATE SET change = excluded.change`, session, change, timeText(time.Now())); err != nil {
		return err
	}
	return k.rename(s, session, change)
}

// rename gives all turns of a session the name of its change.
func (k *keeper) rename(s *kept, session, change string) error {
	s.changed.add(0) // the name is one of their words
	s.changed.add(math.MaxInt64)
	return k.exec(`UPDATE turns SET change = $1 WHERE session = $2`, change, session)
}

// take stores a turn, or counts it, or sees that it is known. New is one that was not.
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
	heard, err := k.dropEventAnswers(s, t)
	if err != nil {
		return false, err
	}
	var seq, rank int64
	var turn sql.NullInt64
	var session string
	known, err := k.scan(`SELECT seq, session, turn, rank FROM captured WHERE uuid = $1`, []any{t.UUID}, &seq, &session, &turn, &rank)
	switch {
	case err != nil:
		return false, err
	case !known:
		return !heard, k.add(s, t)
	case turn.Valid:
		return false, k.again(seq, turn.Int64, t)
	case int64(t.Rank) <= rank:
		return false, nil
	}
	t.Session = session
	if s, err = k.session(session); err != nil {
		return false, err
	}
	return false, k.place(s, seq, t)
}

// storeEventAnswer stores an answer that came with an event, unless a turn of the session holds it.
func (k *keeper) storeEventAnswer(t Turn) (isNew bool, err error) {
	if t.Text == "" {
		return false, nil
	}
	s, err := k.session(t.Session)
	if err != nil {
		return false, err
	}
	sum := digest(t.Session, t.Text)
	t.UUID, t.Fold = fmt.Sprintf("%s%016x", eventAnswerMark, uint64(sum)), ""
	var one int
	// A longer answer may hold it, as one with several parts does.
	known, err := k.scan(`SELECT 1 WHERE EXISTS (SELECT 1 FROM captured WHERE digest = $1) OR EXISTS (SELECT 1 FROM captured WHERE uuid = $2)
		OR EXISTS (SELECT 1 FROM turns WHERE session = $3 AND role = $4 AND instr(text, $5) > 0 AND `+k.own()+`)`,
		[]any{sum, t.UUID, t.Session, t.Role, t.Text}, &one)
	if err != nil || known {
		return false, err
	}
	return true, k.add(s, t)
}

// dropEventAnswers drops the answers that came with events and that a turn now holds.
func (k *keeper) dropEventAnswers(s *kept, t Turn) (heard bool, err error) {
	s.told = slices.DeleteFunc(s.told, func(a eventAnswer) bool {
		if err != nil || a.role != t.Role || !strings.Contains(t.Text, a.text) {
			return false
		}
		heard = true
		if err = k.drop(s, a.seq); err == nil {
			err = k.exec(`DELETE FROM captured WHERE seq = $1`, a.seq)
		}
		return true
	})
	return heard, err
}

// add stores a turn that is not known.
func (k *keeper) add(s *kept, t Turn) error {
	var seq int64
	_, err := k.scan(`INSERT INTO captured (uuid, session, rank) VALUES ($1, $2, $3) RETURNING seq`, []any{t.UUID, t.Session, t.Rank}, &seq)
	if err != nil {
		return err
	}
	return k.place(s, seq, t)
}

// place counts a known turn that is kept nowhere: with those that it equals, or as one of
// its own.
func (k *keeper) place(s *kept, seq int64, t Turn) error {
	if t.Fold != "" {
		var row int64
		equal, err := k.scan(`SELECT seq FROM turns WHERE session = $1 AND fold = $2 AND fold != '' AND personal = $3 AND `+k.own(), []any{t.Session, t.Fold, !k.shared}, &row)
		if err != nil {
			return err
		}
		if equal {
			return k.join(s, seq, row, t)
		}
	}
	if err := k.exec(`UPDATE captured SET turn = $1, rank = $2, digest = $3 WHERE seq = $4`, seq, t.Rank, digest(t.Session, t.Text), seq); err != nil {
		return err
	}
	if err := k.exec(`INSERT INTO turns (personal, seq, session, uuid, role, kind, text, fold, rank, change, project, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		!k.shared, seq, t.Session, t.UUID, t.Role, t.Kind, t.Text, t.Fold, t.Rank, s.change, nullable(t.Project), timeText(t.At)); err != nil {
		return err
	}
	if strings.HasPrefix(t.UUID, eventAnswerMark) {
		s.told = append(s.told, eventAnswer{seq, t.Role, t.Text})
	}
	s.turns++
	s.changed.add(seq)
	if s.turns <= k.most {
		return nil
	}
	var worst int64
	if _, err := k.scan(`SELECT seq FROM turns WHERE session = $1 AND `+k.own()+` ORDER BY rank, seq DESC LIMIT 1`, []any{t.Session}, &worst); err != nil {
		return err
	}
	s.told = slices.DeleteFunc(s.told, func(a eventAnswer) bool { return a.seq == worst })
	return k.drop(s, worst)
}

// join counts a turn in the row of those that it equals. The row is where the first of them
// came, with its text.
func (k *keeper) join(s *kept, seq, row int64, t Turn) error {
	if seq < row {
		if err := k.exec(`UPDATE turns SET seq = $1, uuid = $2, role = $3, kind = $4, text = $5, created_at = $6 WHERE seq = $7`, seq, t.UUID, t.Role, t.Kind, t.Text, timeText(t.At), row); err != nil {
			return err
		}
		if err := k.exec(`UPDATE captured SET turn = $1 WHERE turn = $2`, seq, row); err != nil {
			return err
		}
		s.changed.add(row)
		s.changed.add(seq)
		row = seq
	}
	if err := k.exec(`UPDATE turns SET count = count + 1, rank = CASE WHEN rank < $1 THEN $1 ELSE rank END WHERE seq = $2`, t.Rank, row); err != nil {
		return err
	}
	return k.exec(`UPDATE captured SET turn = $1, rank = $2, digest = $3 WHERE seq = $4`, row, t.Rank, digest(t.Session, t.Text), seq)
}

// drop deletes a row. All turns that are counted there stay known.
func (k *keeper) drop(s *kept, row int64) error {
	s.turns--
	s.changed.add(row)
	if err := k.exec(`UPDATE captured SET turn = NULL, digest = NULL WHERE turn = $1`, row); err != nil {
		return err
	}
	return k.exec(`DELETE FROM turns WHERE seq = $1`, row)
}

// again takes a turn that is counted in a row.
func (k *keeper) again(seq, row int64, t Turn) error {
	var is Turn
	var project sql.NullString
	if _, err := k.scan(`SELECT session, role, kind, text, fold, rank, count, project FROM turns WHERE seq = $1`, []any{row},
		&is.Session, &is.Role, &is.Kind, &is.Text, &is.Fold, &is.Rank, &is.Count, &project); err != nil {
		return err
	}
	same := is.Text == t.Text && is.Fold == t.Fold && is.Kind == t.Kind && is.Role == t.Role
	if same && is.Rank == t.Rank || len(t.Text) < len(is.Text) && strings.HasPrefix(is.Text, t.Text) {
		return nil
	}
	t.Session, t.Project = is.Session, project.String
	s, err := k.session(t.Session)
	if err != nil {
		return err
	}
	if t.Fold != is.Fold || t.Fold == "" {
		return k.leave(s, seq, row, is.Count, t)
	}
	if seq == row { // it is its text that is kept of all
		if err := k.exec(`UPDATE turns SET personal = personal OR $1, role = $2, kind = $3, text = $4 WHERE seq = $5`, !k.shared, t.Role, t.Kind, t.Text, row); err != nil {
			return err
		}
		s.changed.add(row)
	}
	if err := k.exec(`UPDATE captured SET rank = $1, digest = $2 WHERE seq = $3`, t.Rank, digest(t.Session, t.Text), seq); err != nil {
		return err
	}
	return k.rank(row)
}

// rank sets that of a row: the highest of those that are counted there.
func (k *keeper) rank(row int64) error {
	return k.exec(`UPDATE turns SET rank = (SELECT max(rank) FROM captured WHERE turn = turns.seq) WHERE seq = $1`, row)
}

// leave takes a turn out of a row, for it is another now, and places it anew. The text of a
// row stays with those that are left.
func (k *keeper) leave(s *kept, seq, row int64, count int, t Turn) error {
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
		if _, err := k.scan(`SELECT min(seq) FROM captured WHERE turn = $1`, []any{row}, &heir); err != nil {
			return err
		}
		if err := k.exec(`UPDATE turns SET seq = $1, uuid = (SELECT uuid FROM captured WHERE seq = $1) WHERE seq = $2`, heir, row); err != nil {
			return err
		}
		if err := k.exec(`UPDATE captured SET turn = $1 WHERE turn = $2`, heir, row); err != nil {
			return err
		}
		s.changed.add(heir)
		row = heir
	}
	if err := k.exec(`UPDATE turns SET count = count - 1 WHERE seq = $1`, row); err != nil {
		return err
	}
	if err := k.rank(row); err != nil {
		return err
	}
	return k.place(s, seq, t)
}

// digest is a number that tells texts of a session apart.
func digest(session, text string) int64 {
	sum := sha256.Sum256([]byte(session + "\x00" + text))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}
