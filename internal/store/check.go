package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"whence/internal/learning"
)

// Checkup describes a store and its faults.
type Checkup struct {
	Facts  []Fact   `json:"facts"`
	Faults []string `json:"faults"` // with what to do about them
}

// Fact is a property of a store.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// roundTrips is how many are measured.
const roundTrips = 5

// Check examines a store. It fixes nothing.
func (s *Store) Check(ctx context.Context, now time.Time) (c Checkup, err error) {
	if err = s.check(ctx, now, &c); err != nil {
		return c, fmt.Errorf("check the store: %w", s.explained(err))
	}
	return c, nil
}

func (s *Store) check(ctx context.Context, now time.Time, c *Checkup) (err error) {
	if c.Facts, c.Faults, err = s.conn.engine.Check(ctx, s.conn); err != nil {
		return err
	}
	took, err := s.roundTrip(ctx)
	if err != nil {
		return err
	}
	c.Facts = append(c.Facts, Fact{"round trip", fmt.Sprintf("%.3g ms, the median of %d", float64(took.Microseconds())/1000, roundTrips)})
	var learnings, retired, turns, sessions int
	if _, err := s.conn.get(ctx, `SELECT (SELECT count(*) FROM entries), (SELECT count(*) FROM entries WHERE retired IS NOT NULL), (SELECT count(*) FROM turns), (SELECT count(DISTINCT session) FROM turns)`, nil,
		&learnings, &retired, &turns, &sessions); err != nil {
		return err
	}
	c.Facts = append(c.Facts, Fact{"learnings", fmt.Sprintf("%d, of which %d no longer apply", learnings, retired)}, Fact{"turns", fmt.Sprintf("%d of %d sessions", turns, sessions)})
	tomorrow := timeText(now.AddDate(0, 0, 1))
	for _, wrong := range []struct {
		fault, query string
		arguments    []any
	}{
		{"%d turns are not among those that came: they may come twice; delete their sessions (memory-remember prune --session ID), for the next copy would leave them out",
			`SELECT count(*) FROM turns t WHERE ` + s.conn.engine.Own() + ` AND NOT EXISTS (SELECT 1 FROM captured c WHERE c.seq = t.seq AND c.uuid = t.uuid)`, nil},
		{"%d turns that came are counted where there is no turn: they will not come again, and nothing is to be done",
			`SELECT count(*) FROM captured c WHERE c.turn IS NOT NULL AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.seq = c.turn)`, nil},
		{"%d turns have another count than so many as came: a copy (memory-remember store copy) has the right one",
			`SELECT count(*) FROM turns t LEFT JOIN (SELECT turn, count(*) AS came FROM captured GROUP BY turn) c ON c.turn = t.seq WHERE ` + s.conn.engine.Own() + ` AND t.count <> coalesce(c.came, 0)`, nil},
		{"%d observations are of no learning: a copy (memory-remember store copy) leaves them out",
			`SELECT count(*) FROM observations o WHERE NOT EXISTS (SELECT 1 FROM entries e WHERE e.seq = o.entry)`, nil},
		{"%d learnings are from the future: see the clocks of the machines that write here",
			`SELECT count(*) FROM entries WHERE created_at > $1 OR updated_at > $1`, []any{tomorrow}},
		{"%d turns are from the future: see the clocks of the machines that write here",
			`SELECT count(*) FROM turns WHERE created_at > $1`, []any{tomorrow}},
	} {
		var n int
		if _, err := s.conn.get(ctx, wrong.query, wrong.arguments, &n); err != nil {
			return err
		}
		if n > 0 {
			c.Faults = append(c.Faults, fmt.Sprintf(wrong.fault, n))
		}
	}
	misnamed, example, err := s.misnamed(ctx)
	if misnamed > 0 {
		c.Faults = append(c.Faults, fmt.Sprintf("%d learnings have an id, or a hash, that is not of their description, as %s: edit them, or copy the store (memory-remember store copy)", misnamed, example))
	}
	return err
}

// roundTrip measures a query that does nothing.
func (s *Store) roundTrip(ctx context.Context) (time.Duration, error) {
	took := make([]time.Duration, roundTrips)
	for i := range took {
		start := time.Now()
		if _, err := s.conn.get(ctx, `SELECT 1`, nil, new(int)); err != nil {
			return 0, err
		}
		took[i] = time.Since(start)
	}
	slices.Sort(took)
	return took[roundTrips/2], nil
}

// misnamed counts learnings whose id or hash does not match their description, and returns the id of
// the first.
func (s *Store) misnamed(ctx context.Context) (n int, example string, err error) {
	err = s.conn.Each(ctx, `SELECT id, folded, description FROM entries ORDER BY seq DESC`, nil, func(row Scanner) error {
		var id, fold, description string
		err := row.Scan(&id, &fold, &description)
		if err == nil && (id != learning.ID(description) || fold != folded(description)) {
			n, example = n+1, id
		}
		return err
	})
	return n, example, err
}
