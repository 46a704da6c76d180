package team

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"whence/internal/store"
)

// UnavailableError is that the server of a team cannot be used now. It is an [store.ErrUnusable].
type UnavailableError struct {
	Name string // of the store, for people
	Err  error
	slow bool // it was reached, and did not answer in time
}

func (e *UnavailableError) Error() string {
	return fmt.Sprintf("the team's store %s cannot be reached (%s)", e.Name, e.Reason())
}

func (e *UnavailableError) Unwrap() []error { return []error{e.Err, store.ErrUnusable} }

// Reason says why in few words.
func (e *UnavailableError) Reason() string {
	var system syscall.Errno
	switch {
	case errors.As(e.Err, &system):
		return system.Error()
	case errors.Is(e.Err, context.DeadlineExceeded):
		return "no answer in time"
	}
	return e.Err.Error()
}

// interrupted reports whether a server that can be used gave up what it was asked for: the same
// may happen to that again, however long it waits.
func interrupted(err error) bool {
	away := (*UnavailableError)(nil)
	return errors.As(err, &away) && (away.slow || errors.Is(away.Err, store.ErrInterrupted))
}
