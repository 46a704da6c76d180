package ingest

import (
	"time"

	"whence/internal/config"
	"whence/internal/worktree"
)

// settle reads how long the turns of a project are kept (memory_turn_days). Where the
// settings cannot be read, nothing of it goes.
func (w *worker) settle(root, project string) {
	if _, known := w.days[project]; known {
		return
	}
	tree, err := worktree.Open(root)
	if err != nil {
		return
	}
	defer tree.Close()
	if c, err := config.Load(tree.FS(), w.getenv); err == nil {
		w.days[project] = c.TurnDays
	}
}

// expire deletes the turns that are too old.
func (w *worker) expire() error {
	gone, err := w.store.Expire(w.ctx, w.days, time.Now())
	w.done.Pruned = gone.Turns
	return err
}
