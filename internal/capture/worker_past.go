package capture

import (
	"errors"
	"time"

	"whence/internal/store"
)

// Limits of a batch. When it reaches one, it is stored.
const (
	maxBatchTurns       = 500
	maxBatchTranscripts = 200
)

// batch holds readings of past sessions that are stored in one transaction.
type batch struct {
	known    *known // as it was when the batch began
	readings []store.Reading
	turns    int
}

// readPast stores, in batches, the sessions that ended before any of them was read. It returns the transcripts that are
// left to be read one by one: those that go on, are long or cannot be read, and those of a batch for which something
// changed meanwhile.
func (w *worker) readPast(all []store.Transcript) (left []store.Transcript, err error) {
	var b batch
	for i, t := range all {
		isPast := t.Ended && t.State == nil && time.Since(t.Seen) > maxAnswerLag+time.Second
		if !isPast || !w.addTo(&b, t) {
			left = append(left, t)
		}
		if len(b.readings) == maxBatchTranscripts || b.turns >= maxBatchTurns || i == len(all)-1 {
			moved, err := w.storeBatch(b)
			if left = append(left, moved...); err != nil || w.ctx.Err() != nil {
				return left, errors.Join(err, w.ctx.Err())
			}
			b = batch{}
			w.show(i+1, len(all))
		}
	}
	return left, nil
}

// addTo reads a past session to its end and adds it to a batch, or reports false if it cannot.
func (w *worker) addTo(b *batch, t store.Transcript) (added bool) {
	if b.known == nil {
		var err error
		if b.known, err = w.know(); err != nil {
			return false
		}
	}
	r, more, err := w.reading(t, func() (*known, error) { return b.known, nil })
	if err != nil || more || r == nil {
		return false
	}
	t.State, r.After = r.After, WithoutText(r.After)
	r.Finished = isFinished(t)
	b.readings, b.turns = append(b.readings, *r), b.turns+len(r.Turns)
	return true
}

// storeBatch stores a batch, or returns its transcripts if something has changed since the batch began.
func (w *worker) storeBatch(b batch) (moved []store.Transcript, err error) {
	if len(b.readings) == 0 {
		return nil, nil
	}
	added, err := w.store.AddReadings(w.ctx, b.readings)
	w.done.Turns += added
	if errors.Is(err, store.ErrMoved) {
		for _, r := range b.readings {
			moved = append(moved, r.Of)
		}
		return moved, nil
	}
	return nil, err
}
