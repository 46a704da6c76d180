package turns

import (
	"errors"
	"time"
)

// loadRetention reads how long a store keeps the turns of a project (memory_turn_days). If the
// settings cannot be read, none are deleted.
func (w *worker) loadRetention(o *openStore, getenv func(string) string, root, project string) {
	if _, known := o.days[project]; known {
		return
	}
	c, err := settingsOf(root, getenv)
	if err != nil {
		return
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
