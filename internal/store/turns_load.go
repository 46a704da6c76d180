package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"
)

// How many rows one statement reads or writes.
const (
	maxReadRows  = 500
	maxWriteRows = 100
)

// knownTurns returns the UUIDs of turns that this store has captured too.
func (c Conn) knownTurns(ctx context.Context, turns []Arrival) (map[string]bool, error) {
	known := map[string]bool{}
	for part := range slices.Chunk(turns, maxReadRows) {
		uuids := make([]string, len(part))
		for i, a := range part {
			uuids[i] = a.UUID
		}
		found, err := Collect(ctx, c, value[string], `SELECT uuid FROM captured WHERE uuid `+c.engine.AnyOf(1), c.engine.List(uuids))
		if err != nil {
			return nil, err
		}
		for _, uuid := range found {
			known[uuid] = true
		}
	}
	return known, nil
}

// countKept counts the turns of a session that are stored where they come from, and those among
// them that are known.
func countKept(session Session, uuids map[string]bool) (kept, known int) {
	for _, a := range session.Turns {
		if a.Kept != nil {
			kept++
			if uuids[a.UUID] {
				known++
			}
		}
	}
	return kept, known
}

func loadSessions(ctx context.Context, tx Conn, sessions []Session) (turns, knownTurns int, err error) {
	k := newKeeper(ctx, tx, maxSessionTurns)
	for _, session := range sessions {
		uuids, err := tx.knownTurns(ctx, session.Turns)
		if err != nil {
			return 0, 0, err
		}
		kept, known := countKept(session, uuids)
		turns, knownTurns = turns+kept, knownTurns+known
		if err := k.load(session, uuids); err != nil {
			return 0, 0, err
		}
	}
	return turns, knownTurns, k.index()
}

// load stores a session as another store has it.
func (k *keeper) load(session Session, known map[string]bool) error {
	if err := k.setChange(session.ID, session.Change); err != nil || len(known) == len(session.Turns) {
		return err
	}
	exists, err := k.get(`SELECT 1 FROM captured WHERE session = $1 LIMIT 1`, []any{session.ID}, new(int))
	if err != nil {
		return err
	}
	if !exists && len(known) == 0 {
		return k.loadNew(session)
	}
	added := map[string]bool{}
	for _, a := range session.Turns {
		if known[a.UUID] {
			continue
		}
		if err := k.arrive(session.ID, a); err != nil {
			return err
		}
		added[a.UUID] = true
	}
	return k.restoreOrder(session, added)
}

// loadNew stores a session of which nothing is known, in large statements.
func (k *keeper) loadNew(session Session) error {
	s, err := k.session(session.ID)
	if err != nil {
		return err
	}
	counts, stored := map[string]int{}, map[string]bool{}
	for _, a := range session.Turns {
		counts[a.With]++
		if a.With == a.UUID && a.Kept != nil && a.Kept.Text != "" {
			stored[a.UUID] = true
		}
	}
	seqs := map[string]int64{}
	for part := range slices.Chunk(session.Turns, maxWriteRows) {
		var arguments []any
		for _, a := range part {
			digest := any(nil)
			if stored[a.With] {
				digest = a.Digest
			}
			arguments = append(arguments, a.UUID, session.ID, a.Rank, digest)
		}
		// A conflict is possible with rows that this login does not see.
		if err := k.tx.Each(k.ctx, `INSERT INTO captured (uuid, session, rank, digest) VALUES `+k.tx.engine.Values(len(part), 4)+` ON CONFLICT DO NOTHING RETURNING uuid, seq`, arguments, func(row Scanner) error {
			var uuid string
			var seq int64
			err := row.Scan(&uuid, &seq)
			seqs[uuid] = seq
			s.changed.add(seq)
			return err
		}); err != nil {
			return err
		}
	}
	rows := slices.DeleteFunc(slices.Clone(session.Turns), func(a Arrival) bool { return !stored[a.UUID] || seqs[a.UUID] == 0 })
	s.turns += len(rows)
	for part := range slices.Chunk(rows, maxWriteRows) {
		var arguments []any
		for _, a := range part {
			t := Captured{}.stored(*a.Kept)
			arguments = append(arguments, a.Personal, seqs[a.UUID], session.ID, a.UUID, t.Role, t.Kind, t.Text, t.Fold, counts[a.UUID], t.Rank, s.change, nullable(t.Project), timeText(t.At))
		}
		if err := k.exec(`INSERT INTO turns (personal, seq, session, uuid, role, kind, text, fold, count, rank, change, project, created_at) VALUES `+k.tx.engine.Values(len(part), 13), arguments...); err != nil {
			return err
		}
	}
	if err := k.exec(`UPDATE captured SET turn = seq WHERE session = $1 AND seq IN (SELECT seq FROM turns WHERE session = $1)`, session.ID); err != nil {
		return err
	}
	for _, a := range session.Turns {
		if a.With != a.UUID && seqs[a.UUID] != 0 && stored[a.With] {
			if err := k.exec(`UPDATE captured SET turn = $1 WHERE seq = $2`, seqs[a.With], seqs[a.UUID]); err != nil {
				return err
			}
		}
	}
	return nil
}

// arrive stores or counts an unknown turn behind all others of its session.
func (k *keeper) arrive(session string, a Arrival) error {
	s, err := k.session(session)
	if err != nil {
		return err
	}
	k.shared = !a.Personal
	switch {
	case a.Kept != nil && strings.HasPrefix(a.UUID, eventAnswerPrefix):
		if s.turns < k.maxTurns {
			_, err = k.storeEventAnswer(Captured{}.stored(*a.Kept))
		}
		return err
	case a.Kept != nil && a.Kept.Text != "":
		t := Captured{}.stored(*a.Kept)
		t.UUID, t.Session, t.Rank = a.UUID, session, int(a.Rank)
		full, err := k.full(s, t)
		if err != nil || !full {
			_, err = k.take(t)
			return err
		}
	case a.With != "":
		var row sql.NullInt64
		if _, err := k.get(`SELECT turn FROM captured WHERE uuid = $1`, []any{a.With}, &row); err != nil {
			return err
		}
		if row.Valid {
			if err := k.count(row.Int64, a.Rank); err != nil {
				return err
			}
			return k.exec(`INSERT INTO captured (uuid, session, turn, rank, digest) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`, a.UUID, session, row.Int64, a.Rank, a.Digest)
		}
	}
	return k.ignore(session, a.UUID, a.Rank)
}

// full reports whether another turn would displace a stored one.
func (k *keeper) full(s *sessionState, t Turn) (bool, error) {
	if s.turns < k.maxTurns {
		return false, nil
	}
	equal, err := k.get(`SELECT 1 FROM turns WHERE session = $1 AND fold = $2 AND fold <> '' AND personal = $3 AND `+k.own()+` LIMIT 1`, []any{t.Session, t.Fold, !k.shared}, new(int))
	return !equal, err
}

// restoreOrder moves turns that were added behind all others to their place.
func (k *keeper) restoreOrder(session Session, added map[string]bool) error {
	s, err := k.session(session.ID)
	if err != nil {
		return err
	}
	var uuids []string
	seqs := map[string]int64{}
	if err := k.tx.Each(k.ctx, `SELECT uuid, seq FROM captured WHERE session = $1 ORDER BY seq`, []any{session.ID}, func(row Scanner) error {
		var uuid string
		var seq int64
		err := row.Scan(&uuid, &seq)
		uuids, seqs[uuid] = append(uuids, uuid), seq
		return err
	}); err != nil {
		return err
	}
	order := interleaved(uuids, session.Turns, added)
	first := 0
	for first < len(order) && order[first] == uuids[first] {
		first++
	}
	for _, uuid := range order[first:] {
		if err := k.moveLast(s, uuid, seqs[uuid]); err != nil {
			return err
		}
	}
	return nil
}

// interleaved returns the turns of a session in the order of both stores: an added one comes
// before the next one of the other store that was not added, else last.
func interleaved(uuids []string, other []Arrival, added map[string]bool) []string {
	var old []string
	place, exists := map[string]int{}, map[string]bool{} // in old
	for _, uuid := range uuids {
		exists[uuid] = true
		if !added[uuid] {
			place[uuid] = len(old)
			old = append(old, uuid)
		}
	}
	var order, next []string
	taken := 0
	for _, a := range other {
		i, isOld := place[a.UUID]
		switch {
		case added[a.UUID] && exists[a.UUID]:
			next = append(next, a.UUID)
		case isOld && i >= taken:
			order = append(append(order, old[taken:i]...), append(next, a.UUID)...)
			taken, next = i+1, nil
		}
	}
	return slices.Concat(order, old[taken:], next)
}

// moveLast makes a turn the last that was captured.
func (k *keeper) moveLast(s *sessionState, uuid string, seq int64) error {
	const moving = "moving:"
	var last int64
	if _, err := k.get(`INSERT INTO captured (uuid, session, turn, rank, digest) SELECT CAST($1 AS TEXT), session, turn, rank, digest FROM captured WHERE seq = $2 RETURNING seq`, []any{moving + uuid, seq}, &last); err != nil {
		return err
	}
	if err := k.move(s, seq, last); err != nil {
		return err
	}
	if err := k.exec(`DELETE FROM captured WHERE seq = $1`, seq); err != nil {
		return err
	}
	return k.exec(`UPDATE captured SET uuid = $1 WHERE seq = $2`, uuid, last)
}
