package dispatch

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"whence/internal/parallel"
)

// Deadline is how long an agent waits for a reply, unless WHENCE_HOOK_DEADLINE is set, as in 500ms.
const Deadline = time.Second

// maxRecordTime bounds what is recorded before the deadline counts.
const maxRecordTime = 2 * time.Second

// DeadlineOf returns the deadline that the environment sets.
func DeadlineOf(getenv func(string) string) time.Duration {
	if d, err := time.ParseDuration(getenv("WHENCE_HOOK_DEADLINE")); err == nil && d > 0 {
		return d
	}
	return Deadline
}

// errLate reports that a reply was not ready in time.
var errLate = errors.New("no reply in time")

func lateError(limit time.Duration) error { return fmt.Errorf("%w: within %v", errLate, limit) }

// errHung reports that work after a reply took too long.
var errHung = errors.New("the reply was given, but changing a file or a lock after it took too long")

// claim is taken once: by the reply, when it is recorded as given, or by the deadline, after which
// no reply is given.
type claim struct{ taken atomic.Bool }

func (c *claim) take() bool { return c.taken.CompareAndSwap(false, true) }

// within calls a function that may hang, as on a disk that does not answer, and returns its error.
// It returns errHung after the limit; the function may then run until the process ends. A panic is
// returned as an error.
func within(limit time.Duration, run func() error) error {
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() {
			if p := recover(); p != nil {
				err = parallel.Recovered(p)
			}
			done <- err
		}()
		err = run()
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		return errHung
	}
}
