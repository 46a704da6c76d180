package store

import "context"

// neighbours is how many turns before and after one are indexed with it, in a column of less
// weight: a question often has the words of the turn before the answer.
const neighbours = 2

// span is the part of a session in which turns were added, changed or deleted.
type span struct {
	any         bool
	first, last int64
}

func (s *span) add(seq int64) {
	if !s.any {
		*s = span{true, seq, seq}
	}
	s.first, s.last = min(s.first, seq), max(s.last, seq)
}

// indexNearby updates the column nearby for the changed turns of a session, and adds new ones
// to the full-text index. A shared turn has nothing personal nearby.
func indexNearby(ctx context.Context, tx Conn, session string, changed span) error {
	if !changed.any {
		return nil
	}
	for _, personal := range []bool{true, false} {
		some, err := tx.get(ctx, `SELECT 1 FROM turns WHERE session = $1 AND personal = $2 AND `+tx.engine.Own()+` LIMIT 1`, []any{session, personal}, new(int))
		if err == nil && some {
			err = indexAround(ctx, tx, session, personal, changed)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func indexAround(ctx context.Context, tx Conn, session string, personal bool, changed span) error {
	// from[0] to to[0] have new neighbours; from[1] to to[1] are these neighbours.
	var from, to [2]int64
	some := `session = $1 AND personal = $5 AND ` + tx.engine.Own()
	for i := range from {
		if _, err := tx.get(ctx, `SELECT coalesce((SELECT min(seq) FROM (SELECT seq FROM turns WHERE `+some+` AND seq < $2 ORDER BY seq DESC LIMIT $4) AS before), $2),
				coalesce((SELECT max(seq) FROM (SELECT seq FROM turns WHERE `+some+` AND seq > $3 ORDER BY seq LIMIT $4) AS after), $3)`,
			[]any{session, changed.first, changed.last, (i + 1) * neighbours, personal}, &from[i], &to[i]); err != nil {
			return err
		}
	}
	if err := tx.exec(ctx, `WITH around AS MATERIALIZED (
			SELECT seq, coalesce(string_agg(text, $2) OVER (ORDER BY seq ROWS BETWEEN $3 PRECEDING AND $3 FOLLOWING EXCLUDE CURRENT ROW), '') AS nearby
			FROM turns WHERE `+some+` AND seq BETWEEN $4 AND $6)
		UPDATE turns SET nearby = around.nearby FROM around
		WHERE around.seq = turns.seq AND around.seq BETWEEN $7 AND $8 AND turns.nearby IS DISTINCT FROM around.nearby`,
		session, "\n", neighbours, from[1], personal, to[1], from[0], to[0]); err != nil {
		return err
	}
	return indexTurns(ctx, tx, session, from[0], to[0])
}

// indexTurns updates the full-text index for the turns of a session from one to another.
func indexTurns(ctx context.Context, tx Conn, session string, from, to int64) error {
	return tx.index(ctx, turnsTable, `session = $1 AND seq BETWEEN $2 AND $3 AND `+tx.engine.Own(), session, from, to)
}
