package capture

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"whence/internal/store"
	"whence/internal/worktree"
)

// MaxWorkTime limits the running time of a worker. The next worker continues.
const MaxWorkTime = 10 * time.Minute

const (
	// maxAnswerLag is the maximum time after an event until the agent writes the answer that led to it, or after
	// the last event the whole transcript.
	maxAnswerLag = 5 * time.Second
	// pollPause is the time between two checks for that answer.
	pollPause = 100 * time.Millisecond
	// minGone is how long a missing transcript stays registered after its turns are too old: agents report a
	// session before they write anything.
	minGone = 24 * time.Hour
	// minUnanswered is how long after its end a session is checked for an answer that its agent has not written.
	minUnanswered = 24 * time.Hour
	// pruneInterval is the minimum time between two deletions of the old turns of a repository.
	pruneInterval = 24 * time.Hour
	// maxFaults is the maximum number of errors to report.
	maxFaults = 5
)

// Done counts the work of a worker.
type Done struct {
	Turns  int // that were stored
	Pruned int // that were deleted for their age
}

// Work continues to read all registered transcripts, unless another process waits to do so. A transcript
// that cannot be read does not keep others from being read; if the store cannot be used, everything is
// left to the next worker. Errors contain no secrets. If show is not nil, it is called after each batch of
// past sessions, with the number of transcripts done and of all.
func Work(ctx context.Context, home string, getenv func(string) string, show func(done, all int)) (Done, error) {
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
	if show == nil {
		show = func(int, int) {}
	}
	w := worker{ctx: ctx, home: home, getenv: getenv, store: s, projects: map[string]string{}, show: show}
	err = w.work()
	return w.done, errors.Join(redactError(errors.Join(append(w.faults, err)...)), s.Close(), unlock())
}

// lock waits until no other worker is running. It returns nil if another one is waiting already: that
// one lists the transcripts only after its wait, so it sees all that were registered before.
func lock(ctx context.Context, home string) (unlock func() error, err error) {
	working := filepath.Join(home, "capture.lock")
	unlock, err = worktree.TryLock(working)
	if unlock != nil || err != nil {
		return unlock, err
	}
	next, err := worktree.TryLock(filepath.Join(home, "capture.next.lock"))
	if next == nil || err != nil {
		return nil, err
	}
	unlock, err = worktree.Lock(ctx, working)
	return unlock, errors.Join(err, next())
}

// worker is the state of one call of Work.
type worker struct {
	ctx      context.Context
	home     string
	getenv   func(string) string
	store    *store.Store
	projects map[string]string // by folder
	done     Done
	show     func(done, all int)
	faults   []error // that stopped nothing else
}

func (w *worker) work() error {
	all, err := w.store.Transcripts(w.ctx)
	unfinished := slices.DeleteFunc(slices.Clone(all), func(t store.Transcript) bool { return t.Finished })
	var late []store.Transcript
	if err == nil {
		late, err = w.readPast(unfinished)
	}
	for err == nil && len(late) > 0 {
		if late, err = w.readAll(late); len(late) > 0 {
			time.Sleep(pollPause)
		}
	}
	if err != nil {
		return err
	}
	return w.prune(all)
}

// readAll continues to read transcripts. It returns those that may get an answer soon.
func (w *worker) readAll(all []store.Transcript) (late []store.Transcript, err error) {
	var gone []string
	for _, t := range all {
		err := w.read(&t)
		if isLate(t, err) {
			late = append(late, t)
		} else if t.Ended && (err == nil || errors.Is(err, errMissing) || errors.Is(err, errUnconsented)) {
			err = cmp.Or(w.finish(&t, err == nil), err)
		}
		if store.Unusable(err) || w.ctx.Err() != nil {
			return nil, errors.Join(err, w.ctx.Err())
		}
		switch {
		case errors.Is(err, errMissing):
			// Only the turns of repositories with a registered transcript are deleted for their age.
			if kept := time.Duration(t.Days) * 24 * time.Hour; time.Since(t.Seen) > kept+minGone {
				gone = append(gone, t.Path)
			}
		case err != nil && !errors.Is(err, errUnconsented):
			if len(w.faults) < maxFaults {
				w.faults = append(w.faults, fmt.Errorf("capture %s: %w", t.Path, err))
			}
		}
	}
	if len(gone) > 0 {
		err = w.store.Unregister(w.ctx, gone)
	}
	return late, err
}

// isLate reports whether a transcript may get an answer soon, or may itself appear after the end of a short session.
// err is the result of reading it.
func isLate(t store.Transcript, err error) bool {
	lag := time.Since(t.Seen)
	isRecent := lag > -time.Second && lag < maxAnswerLag+time.Second // times are stored in whole seconds
	return isRecent && (err == nil && progressOf(t.State).Open || t.Ended && errors.Is(err, errMissing))
}

// finish removes what was said from the state of a transcript whose session has ended. If the transcript was read to an
// answer, or a day has passed without one, it is not opened again until an event names it.
func (w *worker) finish(t *store.Transcript, isRead bool) error {
	if t.State == nil {
		return nil
	}
	last := store.Reading{Of: *t, After: WithoutText(t.State), Finished: isRead && isFinished(*t)}
	if !last.Finished && bytes.Equal(last.After, t.State) {
		return nil
	}
	_, err := w.store.AddReadings(w.ctx, []store.Reading{last})
	if errors.Is(err, store.ErrMoved) { // the next worker does it
		return nil
	}
	t.State = last.After
	return err
}

// isFinished reports whether a transcript that was read after the end of its session is complete.
func isFinished(t store.Transcript) bool {
	return !progressOf(t.State).Open || time.Since(t.Seen) >= minUnanswered
}

// Unread returns the approximate number of unread bytes of a registered transcript; 0 if it is gone.
func Unread(ctx context.Context, t store.Transcript) (int64, error) {
	src, err := OpenTranscript(ctx, t.Path)
	if src == nil {
		return 0, err
	}
	defer src.Close()
	return src.Unread(progressOf(t.State).Cursor)
}

// prune deletes turns that are older than the Days of the last event in their repository.
func (w *worker) prune(all []store.Transcript) error {
	seen := map[string]bool{}
	for _, t := range all { // the one with the latest event first
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
		pruned, err := w.store.Prune(w.ctx, store.PruneOptions{Project: t.Project, Before: now.AddDate(0, 0, -t.Days)}, WithoutText)
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

// redactError returns an error whose message has no secrets, which file names may contain.
func redactError(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(redactText(err.Error()))
}
