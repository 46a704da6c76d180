package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"whence/internal/store"
)

// Error codes (PostgreSQL documentation, appendix A).
const (
	invalidSchema     = "3F000"
	undefinedTable    = "42P01"
	undefinedFunction = "42883"
	undefinedObject   = "42704"
	noPrivilege       = "42501"
	serialization     = "40001"
	deadlock          = "40P01"
	readOnly          = "25006"
	diskFull          = "53100"
)

// isCode reports whether the server returned one of these error codes.
func isCode(err error, codes ...string) bool {
	var failure *pgconn.PgError
	return errors.As(err, &failure) && slices.Contains(codes, failure.Code)
}

// class says what happens if a failed transaction runs again.
type class int

const (
	permanent   class = iota // it fails again
	retryable                // it may succeed
	unavailable              // as all others, it may succeed once the server can be used again
)

// classify returns the class of a SQLSTATE. A state that is not listed is permanent.
func classify(state string) class {
	for _, known := range []struct {
		prefix string
		class  class
	}{
		{"08", unavailable},    // connection
		{"25006", unavailable}, // the server is read-only
		{"25P03", retryable},   // the transaction was idle for too long
		{"25P04", retryable},   // the transaction took too long
		{"28", unavailable},    // login refused
		{"40", retryable},      // conflict with other transactions
		{"53200", retryable},   // memory of one process
		{"53400", retryable},   // a limit of one process, such as temporary files
		{"53", unavailable},    // disk, connections
		{"55P03", retryable},   // a lock
		{"57014", retryable},   // the statement took too long
		{"57P", unavailable},   // the server starts or stops
		{"58", unavailable},    // the disk of the server
	} {
		if strings.HasPrefix(state, known.prefix) {
			return known.class
		}
	}
	return permanent
}

// explain adds a remedy to an error, and ErrUnusable if every request would fail like this.
func explain(err error) error {
	var connecting *pgconn.ConnectError
	var network net.Error
	var failure *pgconn.PgError
	switch {
	case err == nil, errors.Is(err, store.ErrUnusable), errors.Is(err, store.ErrForbidden):
		return err
	case errors.As(err, &failure) && strings.HasPrefix(failure.Code, "28"):
		return fmt.Errorf("%w: the server does not let this login in, see PGPASSFILE or PGPASSWORD: %s", store.ErrUnusable, failure.Message)
	case isCode(err, noPrivilege):
		return fmt.Errorf("%w: %s", store.ErrForbidden, failure.Message)
	case isCode(err, diskFull):
		return fmt.Errorf("%w: there is no room on the disk of the server: %s", store.ErrUnusable, failure.Message)
	case isCode(err, readOnly):
		return fmt.Errorf("%w: the server takes no writes now: %s", store.ErrUnusable, failure.Message)
	case errors.As(err, &failure):
		switch classify(failure.Code) {
		case unavailable:
			return fmt.Errorf("%w: the server says: %s", store.ErrUnusable, failure.Message)
		case retryable:
			return fmt.Errorf("%w: %w: the server says: %s", store.ErrUnusable, store.ErrInterrupted, failure.Message)
		}
		return err
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &connecting):
		return fmt.Errorf("%w: the server cannot be reached: %w", store.ErrUnusable, errors.Unwrap(connecting))
	case errors.As(err, &network), errors.Is(err, context.DeadlineExceeded), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed), errors.Is(err, driver.ErrBadConn),
		pgconn.Timeout(err), pgconn.SafeToRetry(err), strings.Contains(err.Error(), "conn closed"):
		return fmt.Errorf("%w: the server does not answer: %w", store.ErrUnusable, err)
	}
	return err
}
