package store

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"
)

// Keys of the table meta.
const (
	metaDays    = "turn_days"    // how many days turns are kept: JSON, by project
	metaExpired = "turns_pruned" // day of the last expiry
)

// maxDays is the maximum number of days; beyond it, turns do not expire.
const maxDays = 100 * 365

// Expire records for how many days the turns of some projects are kept, and once a day deletes
// older ones of all projects recorded so far and compacts the index of learnings. 0 days are forever.
func (s *Store) Expire(ctx context.Context, days map[string]int, now time.Time) (p Pruned, err error) {
	if len(days) == 0 {
		return p, nil
	}
	all, due, err := s.recordDays(ctx, days, now.UTC().Format(time.DateOnly))
	if err != nil {
		return p, fmt.Errorf("delete old turns: %w", err)
	}
	for project, n := range all {
		if !due || n <= 0 || n > maxDays {
			continue
		}
		pruned, err := s.Prune(ctx, PruneOptions{Before: now.AddDate(0, 0, -n), Project: project, Alone: true})
		if err != nil {
			return p, err
		}
		p.Turns, p.Sessions, p.Bytes = p.Turns+pruned.Turns, p.Sessions+pruned.Sessions, p.Bytes+pruned.Bytes
	}
	if due {
		err = s.compact(ctx, entriesTable)
	}
	return p, err
}

// recordDays merges days into those that are recorded. Due is true for one caller a day.
func (s *Store) recordDays(ctx context.Context, days map[string]int, today string) (all map[string]int, due bool, err error) {
	all, changed, last, err := s.conn.mergeDays(ctx, days)
	if err != nil || !changed && last == today {
		return all, false, s.explained(err)
	}
	err = s.write(ctx, TurnsLock, func(tx Conn) error {
		all, _, last, err = tx.mergeDays(ctx, days)
		if err != nil {
			return err
		}
		due = last != today
		src, err := json.Marshal(all)
		if err != nil {
			return err
		}
		if err := setMeta(ctx, tx, metaDays, string(src)); err != nil {
			return err
		}
		return setMeta(ctx, tx, metaExpired, today)
	})
	return all, due, err
}

// mergeDays returns the recorded days with some others, whether these change anything, and the day
// of the last expiry.
func (c Conn) mergeDays(ctx context.Context, days map[string]int) (all map[string]int, changed bool, last string, err error) {
	var src string
	_, err = c.get(ctx, `SELECT coalesce((SELECT value FROM meta WHERE key = $1), ''), coalesce((SELECT value FROM meta WHERE key = $2), '')`, []any{metaDays, metaExpired}, &src, &last)
	if json.Unmarshal([]byte(src), &all) != nil || all == nil {
		all = map[string]int{}
	}
	before := maps.Clone(all)
	maps.Copy(all, days)
	return all, !maps.Equal(before, all), last, err
}
