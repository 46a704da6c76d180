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
	UUID    string // of it alone, whatever the session; see AddCaptured
	Role    string // who speaks: user, assistant, tool
	Kind    string // what it is: prompt, answer, error, …
	Text    string
	Project string // "" is global
	At      time.Time
	Rank    int    // which are kept where a session has too many: the highest
	Fold    string // what equal turns of a session share; "" is none

	// These are known when it is read.
	Count         int      // how many equal ones there were
	Number, Total int      // its place among the turns of its session, from 1
	Change        string   // that its session works on; "" is unknown
	Tags          []string // raw, phase:auto-extract, source:hook, and change:… if that is known
}

// Prefix returns the label that is printed before the text of a turn.
func (t Turn) Prefix() string {
	return fmt.Sprintf("[session:%s, turn %d/%d]", cmp.Or(t.Change, "unknown"), t.Number, t.Total)
}

// TurnHit is a turn that a search has found.
type TurnHit struct {
	Turn
	Score    float64
	Evidence float64  // as in Hit
	Covered  float64  // 0..1: the share of the turn's own words that were asked for
	Words    []string // as in Hit

	seq int64
}

var turnsTable = Table{"turns", []string{"text", "nearby", "change"}, []float64{1, 0.4, 0.2}}

// SearchTurns finds turns by the words that they, or those beside them, share with a
// text, best first. Category and Retired of the query do not count.
func (s *Store) SearchTurns(ctx context.Context, q Query) ([]TurnHit, error) {
	hits, err := reader{s.conn}.searchTurns(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("search the store: %w", s.explained(err))
	}
	return hits, nil
}

func (r reader) searchTurns(ctx context.Context, q Query) (hits []TurnHit, err error) {
	judged := 0
	err = r.eachTurn(ctx, q, func(h TurnHit) (enough bool) {
		if h.Evidence >= q.Evidence && len(h.Words) >= q.Words {
			hits = append(hits, h)
		}
		judged++
		return q.Most > 0 && (len(hits) == q.Most || judged == judgedPerHit*q.Most)
	})
	if err != nil {
		return nil, err
	}
	return hits, r.number(ctx, hits)
}

// Answer returns what the agent has said in answer to a turn of the user: the best turn of its
// kind and of some rank at least, the last of several, in the same repository and before the user spoke again. False: there
// is none.
func (s *Store) Answer(ctx context.Context, to TurnHit, kind string, minRank int, spoken []string) (TurnHit, bool, error) {
	r := reader{s.conn}
	var at int64
	err := s.conn.QueryRowContext(ctx, `SELECT seq FROM turns WHERE session = $1 AND coalesce(project, '') = $2 AND kind = $3 AND rank >= $4 AND seq > $5 AND seq < coalesce(
			(SELECT min(seq) FROM turns WHERE session = $1 AND seq > $5 AND kind `+s.engine.AnyOf(6)+`), 9223372036854775807)
		ORDER BY rank DESC, seq DESC LIMIT 1`, to.Session, to.Project, kind, minRank, to.seq, s.engine.List(spoken)).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return TurnHit{}, false, nil
	}
	if err != nil {
		return TurnHit{}, false, fmt.Errorf("search the store: %w", s.explained(err))
	}
	found, err := r.readTurns(ctx, Query{Everywhere: true}, []Row{{Seq: at}})
	if err != nil {
		return TurnHit{}, false, fmt.Errorf("search the store: %w", s.explained(err))
	}
	hits := []TurnHit{{Turn: found[at].Turn, seq: at}}
	err = r.number(ctx, hits)
	return hits[0], err == nil, err
}

// number tells turns their place in their sessions.
func (r reader) number(ctx context.Context, hits []TurnHit) error {
	for i := range hits {
		if err := r.q.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM turns WHERE session = $1 AND seq <= $2), (SELECT count(*) FROM turns WHERE session = $1)`,
			hits[i].Session, hits[i].seq).Scan(&hits[i].Number, &hits[i].Total); err != nil {
			return err
		}
	}
	return nil
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
	hits, err := reader{s.conn}.searchSessions(ctx, q)
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
	for _, h := range hits {
		err = errors.Join(err, r.number(ctx, h.Turns))
	}
	return hits, err
}

// eachTurn calls take for the turns that hold any of the words and that the query
// allows, best first, until it has enough.
func (r reader) eachTurn(ctx context.Context, q Query, take func(TurnHit) (enough bool)) error {
	asked, err := r.weigh(ctx, turnsTable, q.Text)
	if err != nil {
		return err
	}
	weigh := func(rows []Row) error { return r.weighSpeakers(ctx, asked, rows) }
	if q.Unasked {
		weigh = nil
	}
	return r.eachBest(ctx, turnsTable, asked, q.rows(asked, maxTurnRows, rowsShare), weigh, func(rows []Row) (enough bool, err error) {
		found, err := r.readTurns(ctx, q, rows)
		if err != nil {
			return false, err
		}
		for _, row := range rows {
			turn, allowed := found[row.Seq]
			if !allowed {
				continue
			}
			h := TurnHit{Turn: turn.Turn, Score: row.Score, seq: row.Seq}
			own := asked.stems(turn.Text)
			h.Covered = asked.covers(own)
			h.Evidence, h.Words = asked.evidence(own, asked.stems(turn.nearby+" "+turn.Change))
			if take(h) {
				return true, nil
			}
		}
		return false, nil
	})
}

// speakerWeight multiplies the score of a turn whose speaker the question names. On 786
// questions about conversations, 0.705 of the answers are among the first five and 0.772 among the first ten; without it 0.675 and 0.752.
const speakerWeight = 1.3

// maxSpeakers is how many rows are looked at for their speakers: the best.
const maxSpeakers = 500

// weighSpeakers raises the scores of rows whose speaker is named in the question.
func (r reader) weighSpeakers(ctx context.Context, asked question, rows []Row) error {
	rows = rows[:min(len(rows), maxSpeakers)]
	if len(rows) == 0 || len(asked.terms) == 0 {
		return nil
	}
	words := make([]string, len(asked.terms))
	for i, t := range asked.terms {
		words[i] = t.text
	}
	found, err := r.q.QueryContext(ctx, `SELECT seq FROM turns WHERE lower(role) `+r.q.engine.AnyOf(1)+` AND seq `+r.q.engine.AnyOf(2),
		r.q.engine.List(words), r.q.engine.List(seqsOf(rows)))
	if err != nil {
		return err
	}
	defer found.Close()
	speaks := map[int64]bool{}
	for found.Next() {
		var seq int64
		if err := found.Scan(&seq); err != nil {
			return err
		}
		speaks[seq] = true
	}
	for i := range rows {
		if speaks[rows[i].Seq] {
			rows[i].Score *= speakerWeight
		}
	}
	return found.Err()
}

// turnBeside is a turn with those beside it.
type turnBeside struct {
	Turn
	nearby string
}

// readTurns returns those of some rows that the query allows.
func (r reader) readTurns(ctx context.Context, q Query, some []Row) (map[int64]turnBeside, error) {
	rows, err := r.q.QueryContext(ctx, `SELECT seq, session, uuid, role, kind, text, nearby, project, created_at, rank, fold, count, change, tags FROM turns
		WHERE ($1 OR project IS NULL OR project = $2) AND session <> $3 AND NOT kind `+r.q.engine.AnyOf(4)+` AND seq `+r.q.engine.AnyOf(5),
		q.Everywhere, q.Project, q.Except, r.q.engine.List(append([]string{}, q.NoKinds...)), r.q.engine.List(seqsOf(some)))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[int64]turnBeside{}
	for rows.Next() {
		var t turnBeside
		var seq int64
		var project, at sql.NullString
		var tags string
		if err := rows.Scan(&seq, &t.Session, &t.UUID, &t.Role, &t.Kind, &t.Text, &t.nearby, &project, &at, &t.Rank, &t.Fold, &t.Count, &t.Change, &tags); err != nil {
			return nil, err
		}
		t.Project, t.At, t.Tags = project.String, parseTime(at), strings.Split(tags, ",")
		if !slices.ContainsFunc(t.Tags, func(tag string) bool { return slices.Contains(q.Without, tag) }) {
			found[seq] = t
		}
	}
	return found, rows.Err()
}
