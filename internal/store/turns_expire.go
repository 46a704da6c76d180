package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"
)

// Keys of the table meta.
const (
	metaDays    = "turn_days"    // by project: how long its turns are kept, as JSON
	metaExpired = "turns_pruned" // the day on which the old ones were deleted last
)

// maxDays is more than anybody means who does not mean for ever.
const maxDays = 100 * 365

// Expire notes for how many days the turns of some projects are kept, and once a day deletes
// those that are older, of all projects of which that was ever noted; 0 keeps them for ever.
func (s *Store) Expire(ctx context.Context, days map[string]int, now time.Time) (p Pruned, err error) {
	if len(days) == 0 {
		return p, nil
	}
	all, due, err := s.noteDays(ctx, days, now.UTC().Format(time.DateOnly))
	if err != nil {
		return p, fmt.Errorf("delete old turns: %w", err)
	}
	for project, n := range all {
		if !due || n <= 0 || n > maxDays {
			continue
		}
		some, err := s.Prune(ctx, PruneOptions{Before: now.AddDate(0, 0, -n), Project: project, Alone: true})
		if err != nil {
			return p, err
		}
		p.Turns, p.Sessions, p.Bytes = p.Turns+some.Turns, p.Sessions+some.Sessions, p.Bytes+some.Bytes
	}
	return p, nil
}

// TurnDays returns for how many days the turns of a project are kept, as Expire noted it last.
func (s *Store) TurnDays(ctx context.Context, project string) (days int, noted bool, err error) {
	all := map[string]int{}
	_, err = s.Noted(ctx, metaDays, &all)
	days, noted = all[project]
	return days, noted, s.explained(err)
}

// noteDays writes down what has changed. Due is true for one caller a day.
func (s *Store) noteDays(ctx context.Context, days map[string]int, today string) (all map[string]int, due bool, err error) {
	read := func(q Conn) (src, last string, err error) {
		err = q.QueryRowContext(ctx, `SELECT coalesce((SELECT value FROM meta WHERE key = $1), ''), coalesce((SELECT value FROM meta WHERE key = $2), '')`, metaDays, metaExpired).Scan(&src, &last)
		all = map[string]int{}
		if json.Unmarshal([]byte(src), &all) != nil || all == nil {
			all = map[string]int{}
		}
		return src, last, err
	}
	changed := func() bool {
		before := maps.Clone(all)
		maps.Copy(all, days)
		return !maps.Equal(before, all)
	}
	_, last, err := read(s.conn)
	if err != nil || !changed() && last == today {
		return all, false, s.explained(err)
	}
	err = s.write(ctx, Turns, func(tx Conn) error {
		_, last, err := read(tx)
		changed()
		due = last != today
		src, wrong := json.Marshal(all)
		if err := errors.Join(err, wrong); err != nil {
			return err
		}
		for key, value := range map[string]string{metaDays: string(src), metaExpired: today} {
			if err := setMeta(ctx, tx, key, value); err != nil {
				return err
			}
		}
		return nil
	})
	return all, due, err
}
