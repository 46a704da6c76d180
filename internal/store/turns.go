package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Turn is one captured piece of conversation.
type Turn struct {
	Session string
	UUID    string // unique across sessions; see AddCaptured
	Role    string // who speaks: user, assistant, tool
	Kind    string // prompt, answer, error, …
	Text    string
	Project string // "": global
	At      time.Time
	Rank    int    // if a session has too many turns, those with the highest stay
	Fold    string // equal turns of a session share it; "": none

	// Set when it is read.
	Count         int      // number of equal turns
	Number, Total int      // its place among the turns of its session, from 1
	Change        string   // that its session works on; "": unknown
	Tags          []string // raw, phase:auto-extract, source:hook, and change:… if that is known
}

// Prefix returns the label that is printed before the text of a turn.
func (t Turn) Prefix() string {
	return fmt.Sprintf("[session:%s, turn %d/%d]", cmp.Or(t.Change, "unknown"), t.Number, t.Total)
}

// TurnHit is a turn found by a search.
type TurnHit struct {
	Turn
	Score    float64
	Evidence float64  // as in Hit
	P        float64  // as in Hit
	Words    []string // as in Hit

	seq int64
}

var turnsTable = Table{"turns", []string{"text", "nearby", "change"}, []float64{1, 0.4, 0.2}}

// SearchTurns returns the turns that share words with a text, in their own text or that of their
// neighbours, best first. It ignores Category and Retired of the query.
func (s *Store) SearchTurns(ctx context.Context, q Query) ([]TurnHit, error) {
	hits, err := s.conn.searchTurns(ctx, q)
	return hits, wrap("search the store", s.explained(err))
}

func (c Conn) searchTurns(ctx context.Context, q Query) (hits []TurnHit, err error) {
	judged := 0
	err = c.eachTurn(ctx, q, func(h TurnHit) (enough bool) {
		if h.Evidence >= q.Evidence && len(h.Words) >= q.Words {
			hits = append(hits, h)
		}
		judged++
		return q.Most > 0 && (len(hits) == q.Most || judged == judgedPerHit*q.Most)
	})
	if err != nil {
		return nil, err
	}
	return hits, c.number(ctx, hits)
}

// Answer returns the agent's answer to a turn of the user, in the same repository: of the turns of
// a kind and at least a rank, up to the next turn of a spoken kind, the last one of the highest
// rank. Found is false if there is none.
func (s *Store) Answer(ctx context.Context, to TurnHit, kind string, minRank int, spoken []string) (answer TurnHit, found bool, err error) {
	answer, found, err = s.conn.answer(ctx, to, kind, minRank, spoken)
	return answer, found, wrap("search the store", s.explained(err))
}

func (c Conn) answer(ctx context.Context, to TurnHit, kind string, minRank int, spoken []string) (TurnHit, bool, error) {
	var seq int64
	found, err := c.get(ctx, `SELECT seq FROM turns WHERE session = $1 AND coalesce(project, '') = $2 AND kind = $3 AND rank >= $4 AND seq > $5 AND seq < coalesce(
			(SELECT min(seq) FROM turns WHERE session = $1 AND seq > $5 AND kind `+c.engine.AnyOf(6)+`), 9223372036854775807)
		ORDER BY rank DESC, seq DESC LIMIT 1`, []any{to.Session, to.Project, kind, minRank, to.seq, c.engine.List(spoken)}, &seq)
	if err != nil || !found {
		return TurnHit{}, false, err
	}
	turns, err := c.readTurns(ctx, Query{Everywhere: true}, []Row{{Seq: seq}})
	if err != nil {
		return TurnHit{}, false, err
	}
	hits := []TurnHit{{Turn: turns[seq].Turn, seq: seq}}
	return hits[0], true, c.number(ctx, hits)
}

// number sets Number and Total.
func (c Conn) number(ctx context.Context, hits []TurnHit) error {
	if len(hits) == 0 {
		return nil
	}
	at, seqs := map[int64]int{}, make([]int64, len(hits))
	for i, h := range hits {
		at[h.seq], seqs[i] = i, h.seq
	}
	return c.Each(ctx, `SELECT t.seq, (SELECT count(*) FROM turns b WHERE b.session = t.session AND b.seq <= t.seq), (SELECT count(*) FROM turns a WHERE a.session = t.session)
		FROM turns t WHERE t.seq `+c.engine.AnyOf(1), []any{c.engine.List(seqs)}, func(row Scanner) error {
		var seq int64
		var number, total int
		err := row.Scan(&seq, &number, &total)
		if i, known := at[seq]; known {
			hits[i].Number, hits[i].Total = number, total
		}
		return err
	})
}

// SessionHit is a session found by a search.
type SessionHit struct {
	Session string
	Score   float64   // higher is better; comparable within one search
	Turns   []TurnHit // its best, best first, at most 3
}

// The score of a session is the score of its best turn plus a share of those of its turns among the
// best of all. Compared with the best turn alone, the right session is first for 0.757 instead of
// 0.738 of the questions, and among the first three for 0.894 instead of 0.868.
const (
	bonusTurns       = 30 // the best of all
	bonus            = 0.15
	shownTurns       = 3
	judgedPerSession = 20 // turns looked at for each wanted session
)

// SearchSessions returns the sessions with the best turns, best first. The query is as for
// SearchTurns; Most counts sessions.
func (s *Store) SearchSessions(ctx context.Context, q Query) ([]SessionHit, error) {
	hits, err := s.conn.searchSessions(ctx, q)
	return hits, wrap("search the store", s.explained(err))
}

func (c Conn) searchSessions(ctx context.Context, q Query) (hits []SessionHit, err error) {
	at := map[string]int{}
	judged := 0
	err = c.eachTurn(ctx, q, func(h TurnHit) (enough bool) {
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
	for _, h := range hits {
		err = errors.Join(err, c.number(ctx, h.Turns))
	}
	return hits, err
}

// eachTurn calls take for the turns that hold any of the words and that the query allows, best
// first, until take has enough.
func (c Conn) eachTurn(ctx context.Context, q Query, take func(TurnHit) (enough bool)) error {
	asked, err := c.weigh(ctx, turnsTable, q.Text)
	if err != nil {
		return err
	}
	rescore := func(rows []Row) error { return c.rescoreTurns(ctx, asked, rows) }
	if q.Unasked {
		rescore = nil
	}
	return c.eachBest(ctx, turnsTable, q, asked, q.rows(asked, maxTurnRows), maxRescoredRows, nil, rescore, func(rows []Row) (enough bool, err error) {
		found, err := c.readTurns(ctx, q, rows)
		if err != nil {
			return false, err
		}
		for _, row := range rows {
			turn, allowed := found[row.Seq]
			if !allowed {
				continue
			}
			h := TurnHit{Turn: turn.Turn, Score: row.Score, seq: row.Seq}
			h.Evidence, h.Words = asked.evidence(asked.found(turn.Text), asked.found(turn.nearby+" "+turn.Change))
			h.P = turnGate.probability(h.Evidence, 0, len(h.Words), asked.asked)
			if take(h) {
				return true, nil
			}
		}
		return false, nil
	})
}

// turnRow is a turn with the text of its neighbours.
type turnRow struct {
	Turn
	nearby string
}

// readTurns returns the given rows as far as the query allows them.
func (c Conn) readTurns(ctx context.Context, q Query, rows []Row) (map[int64]turnRow, error) {
	found := map[int64]turnRow{}
	err := c.Each(ctx, `SELECT seq, session, uuid, role, kind, text, nearby, project, created_at, rank, fold, count, change, tags FROM turns
		WHERE ($1 OR project IS NULL OR project = $2) AND session <> $3 AND NOT kind `+c.engine.AnyOf(4)+` AND seq `+c.engine.AnyOf(5),
		[]any{q.Everywhere, q.Project, q.Except, c.engine.List(append([]string{}, q.NoKinds...)), c.engine.List(seqsOf(rows))}, func(row Scanner) error {
			var t turnRow
			var seq int64
			var project, at sql.NullString
			var tags string
			err := row.Scan(&seq, &t.Session, &t.UUID, &t.Role, &t.Kind, &t.Text, &t.nearby, &project, &at, &t.Rank, &t.Fold, &t.Count, &t.Change, &tags)
			t.Project, t.At, t.Tags = project.String, parseTime(at), strings.Split(tags, ",")
			if !slices.ContainsFunc(t.Tags, func(tag string) bool { return slices.Contains(q.Without, tag) }) {
				found[seq] = t
			}
			return err
		})
	return found, err
}
