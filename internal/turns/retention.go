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
//
// In version 0.1.0 the number of a repository's file counted unasked. If it is what the store
// has noted, it goes on counting until the user decides: else turns would be deleted that the
// user may want to keep.
func (w *worker) settle(o *opened, getenv func(string) string, root, project string) {
	if _, known := o.days[project]; known {
		return
	}
	tree, err := worktree.Open(root)
	if err != nil {
		return
	}
	defer tree.Close()
	c, err := config.Load(tree, getenv)
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
