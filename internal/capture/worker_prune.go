package capture

import (
	"time"

	"whence/internal/store"
)

// pruneInterval is the time between two deletions of the old turns of a repository.
const pruneInterval = 24 * time.Hour

// prune deletes turns that are older than the last event of their repository wants to keep them.
func (w *worker) prune() error {
	all, err := w.store.Transcripts(w.ctx)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, t := range all { // those of the last events come first
		if seen[t.Project] {
			continue
		}
		seen[t.Project] = true
		if t.Days == 0 {
			continue
		}
		key, now := "pruned "+t.Project, time.Now()
		var last time.Time
		if _, err := w.store.Noted(w.ctx, key, &last); err != nil {
			return err
		}
		if since := now.Sub(last); since >= 0 && since < pruneInterval {
			continue
		}
		pruned, err := w.store.Prune(w.ctx, store.PruneOptions{Project: t.Project, Before: now.AddDate(0, 0, -t.Days)})
		w.done.Pruned += pruned.Turns
		if err != nil {
			return err
		}
		if err := w.store.Note(w.ctx, key, now); err != nil {
			return err
		}
	}
	return nil
}
