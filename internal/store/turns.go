package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"whence/internal/learning"
)

// Turn is one captured piece of conversation.
type Turn struct {
	Session string
	UUID    string // within the session; the same turn is never stored twice
	Role    string // who speaks: user, assistant, tool
	Text    string
	Project string // "" is global
	Tags    string
	At      time.Time
}

// TurnHit is a turn that a search has found.
type TurnHit struct {
	Turn
	Score    float64
	Evidence float64 // as in Hit
}

// neighbours is how many turns before and after one are indexed beside it, in a column
// of less weight: a question often has the words of the turn before the answer.
const neighbours = 2

// turnWeights are the weights of the columns of turns_fts: text, nearby.
const turnWeights = "1.0, 0.4"

// AddTurns stores turns, those of each session in order, and returns how many are new.
// Texts and names are stored as learning.Clean has them.
func (s *Store) AddTurns(ctx context.Context, turns []Turn) (added int, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		added = 0
		first := map[string]int64{} // of the new turns of each session
		for _, t := range turns {
			for _, text := range []*string{&t.Session, &t.UUID, &t.Role, &t.Text, &t.Tags} {
				*text = learning.Clean(*text)
			}
			result, err := tx.ExecContext(ctx, `INSERT INTO turns (session, uuid, role, text, project, tags, created_at) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
				t.Session, t.UUID, t.Role, t.Text, nullable(t.Project), t.Tags, timeText(moment(t.At)))
			if err != nil {
				return err
			}
			n, err := result.RowsAffected()
			if err != nil {
				return err
			}
			if n == 0 {
				continue
			}
			added++
			if _, known := first[t.Session]; !known {
				if first[t.Session], err = result.LastInsertId(); err != nil {
					return err
				}
			}
		}
		for session, seq := range first {
			if err := indexNearby(ctx, tx, session, seq); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("store turns: %w", err)
	}
	return added, nil
}

// indexNearby brings the column nearby up to date, for the turns of a session from the
// first new one on, which are its last, and those just before it.
func indexNearby(ctx context.Context, tx *sql.Tx, session string, first int64) error {
	// the first two of these may see too little before them, but have nothing new near
	var from int64
	if err := tx.QueryRowContext(ctx, `SELECT min(seq) FROM (SELECT seq FROM turns WHERE session = ? AND seq <= ? ORDER BY seq DESC LIMIT ?)`,
		session, first, 2*neighbours+1).Scan(&from); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `WITH around AS MATERIALIZED (
			SELECT seq, row_number() OVER (ORDER BY seq) AS n,
				group_concat(text, char(10)) OVER (ORDER BY seq ROWS BETWEEN ?1 PRECEDING AND ?1 FOLLOWING EXCLUDE CURRENT ROW) AS nearby
			FROM turns WHERE session = ?2 AND seq >= ?3)
		UPDATE turns SET nearby = ifnull(around.nearby, '') FROM around
		WHERE around.seq = turns.seq AND turns.nearby IS NOT ifnull(around.nearby, '')
		AND (around.seq >= ?4 OR around.n > (SELECT count(*) FROM around WHERE seq < ?4) - ?1)`, neighbours, session, from, first)
	return err
}

// SearchTurns finds turns by the words that they, or those beside them, share with a
// text, best first. Of the query, Text, Project, Everywhere, Most and Evidence count.
func (s *Store) SearchTurns(ctx context.Context, q Query) ([]TurnHit, error) {
	hits, err := reader{s.db}.searchTurns(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("search the store: %w", s.explained(err))
	}
	return hits, nil
}

func (r reader) searchTurns(ctx context.Context, q Query) (hits []TurnHit, err error) {
	judged := 0
	err = r.eachTurn(ctx, q, func(h TurnHit) (enough bool) {
		if h.Evidence >= q.Evidence {
			hits = append(hits, h)
		}
		judged++
		return q.Most > 0 && (len(hits) == q.Most || judged == judgedPerHit*q.Most)
	})
	return hits, err
}

// SessionHit is a session that a search has found.
type SessionHit struct {
	Session string
	Score   float64   // of the ranking, higher is better; comparable within one search
	Turns   []TurnHit // that speak of it, best first, at most 3
}

// What makes a session good: its best turn, and something for each of its turns among
// the best of all. On sessions it finds more than the best turn alone (first hit 0.757
// instead of 0.738, one of the first three 0.894 instead of 0.868); for single turns it
// would be a loss.
const (
	bonusTurns       = 30   // the best of all
	bonus            = 0.15 // share of their scores
	shownTurns       = 3
	judgedPerSession = 20 // turns that are looked at for each session that is wanted
)

// SearchSessions finds the sessions that speak of something, best first, by their turns.
// The query is as for SearchTurns; Most counts sessions.
func (s *Store) SearchSessions(ctx context.Context, q Query) ([]SessionHit, error) {
	hits, err := reader{s.db}.searchSessions(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("search the store: %w", s.explained(err))
	}
	return hits, nil
}

func (r reader) searchSessions(ctx context.Context, q Query) (hits []SessionHit, err error) {
	at := map[string]int{}
	judged := 0
	err = r.eachTurn(ctx, q, func(h TurnHit) (enough bool) {
		judged++
		if h.Evidence >= q.Evidence {
			i, known := at[h.Session]
			if !known {
				i = len(hits)
				at[h.Session] = i
				hits = append(hits, SessionHit{Session: h.Session, Score: h.Score})
			}
			if judged <= bonusTurns {
				hits[i].Score += bonus * h.Score
			}
			if len(hits[i].Turns) < shownTurns {
				hits[i].Turns = append(hits[i].Turns, h)
			}
		}
		return q.Most > 0 && judged >= bonusTurns && (len(hits) >= q.Most || judged >= judgedPerSession*q.Most)
	})
	slices.SortStableFunc(hits, func(a, b SessionHit) int { return cmp.Compare(b.Score, a.Score) })
	if q.Most > 0 {
		hits = hits[:min(len(hits), q.Most)]
	}
	return hits, err
}

// eachTurn calls take for the turns that hold any of the words and that the query
// allows, best first, until it has enough.
func (r reader) eachTurn(ctx context.Context, q Query, take func(TurnHit) (enough bool)) error {
	asked, err := r.weigh(ctx, "turns", terms(q.Text))
	if err != nil {
		return err
	}
	return r.eachBest(ctx, "turns", turnWeights, asked, asked.within(mostTurnRows, rowsShare), func(rows []row) (enough bool, err error) {
		found, err := r.readTurns(ctx, q, rows)
		if err != nil {
			return false, err
		}
		for _, row := range rows {
			turn, allowed := found[row.seq]
			if !allowed {
				continue
			}
			h := TurnHit{Turn: turn.Turn, Score: row.score}
			h.Evidence, _ = asked.evidence(stems(turn.Text), stems(turn.nearby))
			if take(h) {
				return true, nil
			}
		}
		return false, nil
	})
}

// turnBeside is a turn with those beside it.
type turnBeside struct {
	Turn
	nearby string
}

// readTurns returns those of some rows that the query allows.
func (r reader) readTurns(ctx context.Context, q Query, some []row) (map[int64]turnBeside, error) {
	arguments := []any{q.Everywhere, q.Project}
	for _, row := range some {
		arguments = append(arguments, row.seq)
	}
	rows, err := r.q.QueryContext(ctx, `SELECT seq, session, uuid, role, text, nearby, project, tags, created_at FROM turns
		WHERE (? OR project IS NULL OR project = ?) AND seq IN (?`+strings.Repeat(`, ?`, len(some)-1)+`)`, arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[int64]turnBeside{}
	for rows.Next() {
		var t turnBeside
		var seq int64
		var project, at sql.NullString
		if err := rows.Scan(&seq, &t.Session, &t.UUID, &t.Role, &t.Text, &t.nearby, &project, &t.Tags, &at); err != nil {
			return nil, err
		}
		t.Project, t.At = project.String, parseTime(at)
		found[seq] = t
	}
	return found, rows.Err()
}
