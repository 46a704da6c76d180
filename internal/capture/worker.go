package capture

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"whence/internal/agent/transcript"
	"whence/internal/store"
)

// MaxWorkTime limits the time of a worker. The next one reads on.
const MaxWorkTime = 10 * time.Minute

const (
	// maxAnswerLag is how long after an event an agent may write the answer that led to it.
	maxAnswerLag = 5 * time.Second
	// pollPause is the time between two looks for it.
	pollPause = 100 * time.Millisecond
	// minGone is how long a transcript is missing before it counts as deleted: agents report a session
	// before they write anything.
	minGone = 24 * time.Hour
	// pruneInterval is the time between two deletions of the old turns of a repository.
	pruneInterval = 24 * time.Hour
	// maxFaults is the number of errors that are reported.
	maxFaults = 5
)

// Done counts the work of a worker.
type Done struct {
	Turns  int // that were stored
	Pruned int // that were deleted for their age
}

// Work reads on in all registered transcripts, unless another process is about to. Errors contain no
// secrets. A transcript that cannot be read keeps no other from being read; if the store cannot be used,
// all is left to the next worker.
func Work(ctx context.Context, home string, getenv func(string) string) (Done, error) {
	if !store.Exists(home) {
		return Done{}, nil
	}
	unlock, err := lock(ctx, home)
	if unlock == nil {
		return Done{}, err
	}
	s, err := store.OpenExisting(ctx, home)
	if err != nil {
		return Done{}, errors.Join(redactError(err), unlock())
	}
	w := worker{ctx: ctx, home: home, getenv: getenv, store: s, projects: map[string]string{}}
	err = w.work()
	return w.done, errors.Join(redactError(errors.Join(append(w.faults, err)...)), s.Close(), unlock())
}

// worker is the state of one call of Work.
type worker struct {
	ctx      context.Context
	home     string
	getenv   func(string) string
	store    *store.Store
	projects map[string]string // by folder
	done     Done
	faults   []error // that stopped nothing else
}

func (w *worker) work() error {
	var all []store.Transcript
	for more := true; more; {
		var err error
		if all, err = w.store.Transcripts(w.ctx); err != nil {
			return err
		}
		late, again, err := w.readAll(all)
		if err != nil {
			return err
		}
		more = again || w.await(late)
	}
	if err := w.store.CountShown(w.ctx); err != nil {
		return err
	}
	return w.prune(all)
}

// readAll reads on in all transcripts. It returns those that may have an answer soon, and whether to
// list the transcripts again.
func (w *worker) readAll(all []store.Transcript) (late []ending, again bool, err error) {
	var gone []string
	w.faults = nil // they come again
	for _, t := range all {
		end, err := w.read(t)
		if errors.Is(err, store.ErrMoved) {
			again = true
			continue
		}
		if store.Unusable(err) || w.ctx.Err() != nil {
			return nil, false, errors.Join(err, w.ctx.Err())
		}
		if err != nil && len(w.faults) < maxFaults {
			w.faults = append(w.faults, fmt.Errorf("capture %s: %w", t.Path, err))
		}
		if end.missing && time.Since(t.Seen) > minGone {
			gone = append(gone, t.Path)
		}
		if end.until = t.Seen.Add(maxAnswerLag + time.Second); end.open { // times are stored in whole seconds
			late = append(late, end)
		}
	}
	if len(gone) > 0 {
		err = w.store.Unregister(w.ctx, gone)
	}
	return late, again, err
}

// await waits for the answers that may come, and reports whether a transcript has grown.
func (w *worker) await(late []ending) (grown bool) {
	for {
		now := time.Now()
		late = slices.DeleteFunc(late, func(e ending) bool { return now.After(e.until) })
		if len(late) == 0 {
			return false
		}
		select {
		case <-w.ctx.Done():
			return false
		case <-time.After(pollPause):
		}
		for _, e := range late {
			if unread, err := unreadBytes(w.ctx, e.name, e.cursor); err == nil && unread != e.unread {
				return true
			}
		}
	}
}

// Unread returns about how many bytes of a registered transcript were not read; 0 if it is gone.
func Unread(ctx context.Context, t store.Transcript) (int64, error) {
	return unreadBytes(ctx, t.Path, progressOf(t.State).Cursor)
}

func unreadBytes(ctx context.Context, name string, from transcript.Cursor) (int64, error) {
	src, err := OpenTranscript(ctx, name)
	if src == nil {
		return 0, err
	}
	defer src.Close()
	return src.Unread(from)
}

// prune deletes turns that are older than the last event of their repository wants to keep them.
func (w *worker) prune(all []store.Transcript) error {
	seen := map[string]bool{}
	for _, t := range all { // those of the last events come first
		isFirst := !seen[t.Project]
		seen[t.Project] = true
		if !isFirst || t.Days == 0 {
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

// redactError returns an error whose message has no secrets, as file names may.
func redactError(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(redactText(err.Error()))
}
