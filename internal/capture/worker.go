package capture

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

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
	// maxMoved is how often the transcripts are listed again because one was changed by another process.
	maxMoved = 10
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
	w := worker{ctx: ctx, store: s, settings: newSettings(home, getenv), projects: map[string]string{}}
	err = w.work()
	return w.done, errors.Join(redactError(errors.Join(append(w.faults, err)...)), s.Close(), unlock())
}

// worker is the state of one call of Work.
type worker struct {
	ctx      context.Context
	store    *store.Store
	settings settings
	projects map[string]string // by folder
	done     Done
	faults   []error // that stopped nothing else
	moved    int     // how often a transcript was changed by another process
}

func (w *worker) work() error {
	for more := true; more; {
		all, err := w.store.Transcripts(w.ctx)
		if err != nil {
			return err
		}
		if all, err = w.addSubagents(all); err != nil {
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
	return w.prune()
}

// lateAnswer is a transcript that does not end with an answer, soon after an event.
type lateAnswer struct {
	name  string
	end   ending
	until time.Time
}

// readAll reads on in all transcripts. It returns those that may have an answer soon, and whether to
// list the transcripts again.
func (w *worker) readAll(all []store.Transcript) (late []lateAnswer, again bool, err error) {
	var gone []string
	w.faults = nil // they come again
	for _, t := range all {
		end, err := w.read(t)
		if errors.Is(err, store.ErrMoved) && w.moved < maxMoved {
			w.moved++
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
		// Times are stored in whole seconds.
		if until := t.Seen.Add(maxAnswerLag + time.Second); end.open && time.Now().Before(until) {
			late = append(late, lateAnswer{t.Path, end, until})
		}
	}
	if len(gone) > 0 {
		err = w.store.Unregister(w.ctx, gone)
	}
	return late, again, err
}

// await waits for the answers that may come, and reports whether a transcript has grown.
func (w *worker) await(late []lateAnswer) (grown bool) {
	for {
		now := time.Now()
		late = slices.DeleteFunc(late, func(l lateAnswer) bool { return now.After(l.until) })
		if len(late) == 0 {
			return false
		}
		select {
		case <-w.ctx.Done():
			return false
		case <-time.After(pollPause):
		}
		for _, l := range late {
			if l.hasGrown(w.ctx) {
				return true
			}
		}
	}
}

func (l lateAnswer) hasGrown(ctx context.Context) bool {
	src, err := OpenTranscript(ctx, l.name)
	if err != nil || src == nil {
		return false
	}
	defer src.Close()
	unread, err := src.Unread(l.end.cursor)
	return err == nil && unread != l.end.unread
}

// addSubagents adds the transcripts of subagents that have no event of their own. What holds for their
// session holds for them.
func (w *worker) addSubagents(all []store.Transcript) ([]store.Transcript, error) {
	at := map[string]int{}
	for i, t := range all {
		at[t.Path] = i
	}
	for _, t := range slices.Clone(all) {
		names, err := subagents(t.Path, t.Session)
		if err != nil {
			return all, err
		}
		for _, name := range names {
			sub := t
			sub.Path, sub.State = name, nil
			if i, known := at[name]; known {
				sub.State = all[i].State
				all[i] = sub
				continue
			}
			if err := w.store.Register(w.ctx, sub); err != nil {
				return all, err
			}
			all = append(all, sub)
		}
	}
	return all, nil
}

// redactError returns an error whose message has no secrets, as file names may.
func redactError(err error) error {
	if err == nil {
		return nil
	}
	return &cleanError{err}
}

type cleanError struct{ err error }

func (e *cleanError) Error() string { return redactText(e.err.Error()) }
func (e *cleanError) Unwrap() error { return e.err }
