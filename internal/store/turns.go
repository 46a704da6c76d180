package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"
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

// AddTurns stores turns of one session, in order, and returns how many are new.
func (s *Store) AddTurns(ctx context.Context, turns []Turn) (added int, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		sessions := map[string]bool{}
		for _, t := range turns {
			result, err := tx.ExecContext(ctx, `INSERT INTO turns (session, uuid, role, text, project, tags, created_at) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
				t.Session, t.UUID, t.Role, t.Text, nullable(t.Project), t.Tags, timeText(t.At))
			if err != nil {
				return err
			}
			n, err := result.RowsAffected()
			if err != nil {
				return err
			}
			if n > 0 {
				added++
				sessions[t.Session] = true
			}
		}
		for session := range sessions {
			if err := indexNearby(ctx, tx, session); err != nil {
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

// indexNearby brings the column nearby of the turns of a session up to date.
func indexNearby(ctx context.Context, tx *sql.Tx, session string) error {
	_, err := tx.ExecContext(ctx, `WITH around AS (
			SELECT seq, group_concat(text, char(10)) OVER (ORDER BY seq ROWS BETWEEN ?1 PRECEDING AND ?1 FOLLOWING EXCLUDE CURRENT ROW) AS nearby
			FROM turns WHERE session = ?2)
		UPDATE turns SET nearby = ifnull(around.nearby, '') FROM around WHERE around.seq = turns.seq AND turns.nearby IS NOT ifnull(around.nearby, '')`, neighbours, session)
	return err
}

// SearchTurns finds turns by the words that they, or those beside them, share with a
// text, best first. Evidence and Project are as in Query.
func (s *Store) SearchTurns(ctx context.Context, q Query) ([]TurnHit, error) {
	hits, err := reader{s.db}.searchTurns(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("search the store: %w", err)
	}
	return hits, nil
}

func (r reader) searchTurns(ctx context.Context, q Query) (hits []TurnHit, err error) {
	asked, err := r.weigh(ctx, "turns", terms(q.Text))
	if err != nil {
		return nil, err
	}
	err = r.eachBest(ctx, "turns", turnWeights, asked, func(rows []row) (enough bool, err error) {
		found, err := r.readTurns(ctx, q, rows, asked)
		hits = append(hits, found...)
		if q.Most > 0 && len(hits) >= q.Most {
			hits = hits[:q.Most]
			return true, err
		}
		return false, err
	})
	return hits, err
}

// readTurns returns those of some rows that the query allows, in the order of the rows.
func (r reader) readTurns(ctx context.Context, q Query, some []row, asked question) ([]TurnHit, error) {
	arguments := []any{q.Everywhere, q.Project}
	score := map[int64]float64{}
	for _, row := range some {
		arguments = append(arguments, row.seq)
		score[row.seq] = row.score
	}
	rows, err := r.q.QueryContext(ctx, `SELECT seq, session, uuid, role, text, nearby, project, tags, created_at FROM turns
		WHERE (? OR project IS NULL OR project = ?) AND seq IN (?`+strings.Repeat(`, ?`, len(some)-1)+`)`, arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var hits []TurnHit
	for rows.Next() {
		var h TurnHit
		var seq int64
		var nearby string
		var project, at sql.NullString
		if err := rows.Scan(&seq, &h.Session, &h.UUID, &h.Role, &h.Text, &nearby, &project, &h.Tags, &at); err != nil {
			return nil, err
		}
		h.Project, h.At, h.Score = project.String, parseTime(at), score[seq]
		h.Evidence, _ = asked.evidence(stems(h.Text), stems(nearby))
		if h.Evidence >= q.Evidence {
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b TurnHit) int { return cmp.Compare(b.Score, a.Score) })
	return hits, rows.Err()
}
