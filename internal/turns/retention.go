package turns

import (
	"errors"
	"time"

	"whence/internal/config"
)

// loadRetention reads how long a store keeps the turns of a project (memory_turn_days). If the
// settings cannot be read, none are deleted.
//
// In version 0.1.0 a repository's file set the number without the user's consent. If the store
// has recorded it, it stays in force until the user decides, so that no turns are deleted that
// the user may want to keep.
func (w *worker) loadRetention(o *openStore, getenv func(string) string, root, project string) {
	if _, known := o.days[project]; known {
		return
	}
	c, err := settingsOf(root, getenv)
	if err != nil {
		return
	}
	if asked, longer := c.LongerTurnDays(); longer && c.TurnDays == config.Default().TurnDays && !config.IsDecided(w.home, config.RepositoryOf(root)) {
		if days, noted, err := o.store.TurnDays(w.ctx, project); err != nil || noted && days == asked {
			return
		}
	}
	o.days[project] = c.TurnDays
}

// deleteExpired deletes the turns that are older than their project keeps them.
func (w *worker) deleteExpired() (all error) {
	for _, o := range w.stores {
		gone, err := o.store.Expire(w.ctx, o.days, time.Now())
		w.done.Pruned += gone.Turns
		all = errors.Join(all, err, o.team.NoteDays(w.ctx, o.store, o.days))
	}
	return all
}
