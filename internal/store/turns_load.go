package store

import (
	"context"
	"strings"
)

// rowsAtOnce is how many rows one statement reads or writes.
const rowsAtOnce = 100

// knownTurns are the UUIDs among those of some turns that have come here too.
func knownTurns(ctx context.Context, c Conn, turns []Arrival) (map[string]bool, error) {
	known := map[string]bool{}
	err := chunks(turns, 5*rowsAtOnce, func(some []Arrival) error {
		uuids := make([]string, len(some))
		for i, a := range some {
			uuids[i] = a.UUID
		}
		return each(ctx, c, `SELECT uuid FROM captured WHERE uuid `+c.engine.AnyOf(1), []any{c.engine.List(uuids)}, func(scan func(...any) error) error {
			var uuid string
			err := scan(&uuid)
			known[uuid] = true
			return err
		})
	})
	return known, err
}

// chunks takes a list piece by piece.
func chunks[T any](list []T, most int, take func([]T) error) error {
	for len(list) > 0 {
		n := min(len(list), most)
		if err := take(list[:n]); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// countKept counts the turns of a session that are kept where they come from, and those of
// them that are known.
func countKept(session Session, known map[string]bool) (n, alike int) {
	for _, a := range session.Turns {
		if a.Kept != nil {
			n++
			if known[a.UUID] {
				alike++
			}
		}
	}
	return n, alike
}

func loadSessions(ctx context.Context, tx Conn, sessions []Session) (n, alike int, err error) {
	k := keeper{ctx: ctx, tx: tx, most: maxSessionTurns, sessions: map[string]*kept{}}
	for _, session := range sessions {
		known, err := knownTurns(ctx, tx, session.Turns)
		if err != nil {
			return 0, 0, err
		}
		kept, same := countKept(session, known)
		n, alike = n+kept, alike+same
		if err := k.load(session, known); err != nil {
			return 0, 0, err
		}
	}
	return n, alike, k.index()
}

// load takes a session as another store has it.
func (k *keeper) load(session Session, known map[string]bool) error {
	if err := k.setChange(session.ID, session.Change); err != nil || len(known) == len(session.Turns) {
		return err
	}
	var here bool
	if _, err := k.scan(`SELECT EXISTS (SELECT 1 FROM captured WHERE session = $1)`, []any{session.ID}, &here); err != nil {
		return err
	}
	if !here && len(known) == 0 {
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

// loadNew stores a session of which nothing is known here as it is.
func (k *keeper) loadNew(session Session) error {
	s, err := k.session(session.ID)
	if err != nil {
		return err
	}
	seqs, counts := map[string]int64{}, map[string]int{}
	for _, a := range session.Turns {
		counts[a.With]++
	}
	whole := func(a Arrival) bool { return a.With == a.UUID && a.Kept != nil && a.Kept.Text != "" }
	kept := map[string]bool{}
	for _, a := range session.Turns {
		kept[a.UUID] = whole(a)
	}
	err = chunks(session.Turns, rowsAtOnce, func(some []Arrival) error {
		var arguments []any
		for _, a := range some {
			digest := any(nil)
			if kept[a.With] {
				digest = a.Digest
			}
			arguments = append(arguments, a.UUID, session.ID, a.Rank, digest)
		}
		// Without a conflict, but that is for the database to tell, of what is not seen here too.
		return each(k.ctx, k.tx, `INSERT INTO captured (uuid, session, rank, digest) VALUES `+k.tx.engine.Values(len(some), 4)+` ON CONFLICT DO NOTHING RETURNING uuid, seq`, arguments, func(scan func(...any) error) error {
			var uuid string
			var seq int64
			err := scan(&uuid, &seq)
			seqs[uuid] = seq
			s.changed.add(seq)
			return err
		})
	})
	if err != nil {
		return err
	}
	var rows []Arrival
	for _, a := range session.Turns {
		if whole(a) && seqs[a.UUID] != 0 {
			rows = append(rows, a)
		}
	}
	s.turns += len(rows)
	if err := chunks(rows, rowsAtOnce, func(some []Arrival) error {
		var arguments []any
		for _, a := range some {
			t := Captured{}.stored(*a.Kept)
			arguments = append(arguments, a.Personal, seqs[a.UUID], session.ID, a.UUID, t.Role, t.Kind, t.Text, t.Fold, counts[a.UUID], t.Rank, s.change, nullable(t.Project), timeText(t.At))
		}
		return k.exec(`INSERT INTO turns (personal, seq, session, uuid, role, kind, text, fold, count, rank, change, project, created_at) VALUES `+k.tx.engine.Values(len(some), 13), arguments...)
	}); err != nil {
		return err
	}
	if err := k.exec(`UPDATE captured SET turn = seq WHERE session = $1 AND seq IN (SELECT seq FROM turns WHERE session = $2)`, session.ID, session.ID); err != nil {
		return err
	}
	for _, a := range session.Turns {
		if a.With != a.UUID && seqs[a.UUID] != 0 && kept[a.With] {
			if err := k.exec(`UPDATE captured SET turn = $1 WHERE seq = $2`, seqs[a.With], seqs[a.UUID]); err != nil {
				return err
			}
		}
	}
	return nil
}

// arrive takes a turn that is not known, in a session of which something is.
func (k *keeper) arrive(session string, a Arrival) error {
	s, err := k.session(session)
	if err != nil {
		return err
	}
	switch {
	case a.Kept != nil && strings.HasPrefix(a.UUID, eventAnswerMark):
		if s.turns >= k.most {
			return nil
		}
		k.shared = !a.Personal
		_, err := k.storeEventAnswer(Captured{}.stored(*a.Kept))
		return err
	case a.Kept != nil && a.Kept.Text != "":
		t := Captured{}.stored(*a.Kept)
		t.UUID, t.Session, t.Rank = a.UUID, session, int(a.Rank)
		k.shared = !a.Personal
		full, err := k.full(s, t)
		if err != nil || !full {
			_, err = k.take(t)
			return err
		}
	case a.With != "":
		var row int64
		if _, err := k.scan(`SELECT coalesce((SELECT turn FROM captured WHERE uuid = $1), 0)`, []any{a.With}, &row); err != nil {
			return err
		}
		if row != 0 {
			if err := k.exec(`UPDATE turns SET count = count + 1, rank = CASE WHEN rank < $1 THEN $1 ELSE rank END WHERE seq = $2`, a.Rank, row); err != nil {
				return err
			}
			return k.exec(`INSERT INTO captured (uuid, session, turn, rank, digest) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`, a.UUID, session, row, a.Rank, a.Digest)
		}
	}
	return k.exec(`INSERT INTO captured (uuid, session, rank) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, a.UUID, session, a.Rank)
}

// full reports whether another turn would displace a stored one.
func (k *keeper) full(s *kept, t Turn) (is bool, err error) {
	if s.turns < k.most {
		return false, nil
	}
	var equal bool
	_, err = k.scan(`SELECT EXISTS (SELECT 1 FROM turns WHERE session = $1 AND fold = $2 AND fold <> '' AND personal = $3 AND `+k.own()+`)`, []any{t.Session, t.Fold, !k.shared}, &equal)
	return !equal, err
}

// restoreOrder puts turns that were added, behind all others, where they belong. All stay
// in the order in which they were here, and those of the other store in theirs.
func (k *keeper) restoreOrder(session Session, added map[string]bool) error {
	s, err := k.session(session.ID)
	if err != nil {
		return err
	}
	var are []string
	seqs := map[string]int64{}
	if err := each(k.ctx, k.tx, `SELECT uuid, seq FROM captured WHERE session = $1 ORDER BY seq`, []any{session.ID}, func(scan func(...any) error) error {
		var uuid string
		var seq int64
		err := scan(&uuid, &seq)
		are, seqs[uuid] = append(are, uuid), seq
		return err
	}); err != nil {
		return err
	}
	order := interleaved(are, session.Turns, added)
	first := 0
	for first < len(order) && order[first] == are[first] {
		first++
	}
	for _, uuid := range order[first:] {
		if err := k.moveLast(s, uuid, seqs[uuid]); err != nil {
			return err
		}
	}
	return nil
}

// interleaved returns the order of all turns of a session: an added one comes before the next
// one of the other store that was here already, else last.
func interleaved(are []string, other []Arrival, added map[string]bool) []string {
	var old []string
	at := map[string]int{}
	for _, uuid := range are {
		if !added[uuid] {
			at[uuid] = len(old)
			old = append(old, uuid)
		}
	}
	there := map[string]bool{}
	for _, uuid := range are {
		there[uuid] = true
	}
	order, next := make([]string, 0, len(are)), []string(nil)
	taken := 0
	for _, a := range other {
		i, known := at[a.UUID]
		switch {
		case added[a.UUID] && there[a.UUID]:
			next = append(next, a.UUID)
		case known && i >= taken:
			order = append(append(append(order, old[taken:i]...), next...), old[i])
			taken, next = i+1, nil
		}
	}
	return append(append(order, old[taken:]...), next...)
}

// moveLast makes a turn the last that came.
func (k *keeper) moveLast(s *kept, uuid string, seq int64) error {
	const moving = "moving:"
	var last int64
	if _, err := k.scan(`INSERT INTO captured (uuid, session, turn, rank, digest) SELECT CAST($1 AS TEXT), session, turn, rank, digest FROM captured WHERE seq = $2 RETURNING seq`, []any{moving + uuid, seq}, &last); err != nil {
		return err
	}
	for _, change := range []struct {
		statement string
		arguments []any
	}{
		{`UPDATE turns SET seq = $1 WHERE seq = $2`, []any{last, seq}},
		{`UPDATE captured SET turn = $1 WHERE turn = $2`, []any{last, seq}},
		{`DELETE FROM captured WHERE seq = $1`, []any{seq}},
		{`UPDATE captured SET uuid = $1 WHERE seq = $2`, []any{uuid, last}},
	} {
		if err := k.exec(change.statement, change.arguments...); err != nil {
			return err
		}
	}
	s.changed.add(seq)
	s.changed.add(last)
	return nil
}
