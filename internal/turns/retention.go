package turns

import (
	"errors"
	"time"

	"whence/internal/config"
	"whence/internal/team"
	"whence/internal/worktree"
)

// settle reads how long the turns of a project are kept in a store (memory_turn_days). Where
// the settings cannot be read, nothing of it goes.
func (w *worker) settle(o *opened, getenv func(string) string, root, project string) {
	if _, known := o.days[project]; known {
		return
	}
	tree, err := worktree.Open(root)
	if err != nil {
		return
	}
	defer tree.Close()
	if c, err := config.Load(tree, getenv); err == nil {
		o.days[project] = c.TurnDays
	}
}

// expire deletes the turns that are too old.
func (w *worker) expire() (all error) {
	for _, o := range w.stores {
		gone, err := o.store.Expire(w.ctx, o.days, time.Now())
		w.done.Pruned += gone.Turns
		if o.team != nil && len(o.days) > 0 { // of whose server it holds too
			err = errors.Join(err, team.NoteDays(w.ctx, o.store, o.days))
		}
		all = errors.Join(all, err)
	}
	return all
}
