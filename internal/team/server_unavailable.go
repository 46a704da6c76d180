package team

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"whence/internal/store"
)

// UnavailableError reports that a team's server cannot be used now. It is a [store.ErrUnusable].
type UnavailableError struct {
	Name string // of the store, see Replica.Name
	Err  error
	slow bool // it was reached, and did not answer in time
}

func (e *UnavailableError) Error() string {
	return fmt.Sprintf("the team's store %s cannot be reached (%s)", e.Name, e.Reason())
}

func (e *UnavailableError) Unwrap() []error { return []error{e.Err, store.ErrUnusable} }

// Reason returns the cause in a few words.
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

// interrupted reports whether a server that answers others gave up this operation: it may do so again,
// however long the operation waits.
func interrupted(err error) bool {
	away := (*UnavailableError)(nil)
	return errors.As(err, &away) && (away.slow || errors.Is(away.Err, store.ErrInterrupted))
}
