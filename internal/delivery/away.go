package delivery

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"whence/internal/store"
)

// Away is that the server of a team cannot be used now. It is an [store.ErrUnusable].
type Away struct {
	Name string // of the store, for people
	Err  error
}

func (e *Away) Error() string {
	return fmt.Sprintf("the team's store %s cannot be reached (%s)", e.Name, e.Reason())
}

func (e *Away) Unwrap() []error { return []error{e.Err, store.ErrUnusable} }

// Reason says why in few words.
func (e *Away) Reason() string {
	var system syscall.Errno
	switch {
	case errors.As(e.Err, &system):
		return system.Error()
	case errors.Is(e.Err, context.DeadlineExceeded):
		return "no answer in time"
	}
	return e.Err.Error()
}
