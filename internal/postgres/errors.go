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

// Codes of errors (PostgreSQL documentation, appendix A).
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

// isCode tells whether the server has failed for one of these reasons.
func isCode(err error, codes ...string) bool {
	var failure *pgconn.PgError
	return errors.As(err, &failure) && slices.Contains(codes, failure.Code)
}

// again tells whether a transaction that failed would not if it ran once more.
func again(err error) bool { return isCode(err, serialization, deadlock) }

// explain adds to an error what to do about it, and that it befalls everything.
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
		// 08: connection, 53: resources, 57P: the server ends or begins, 58: its disk
		// 57014: a statement took too long, 55P03: a lock, 25P: a pause, 40: others in the way
		for _, class := range []string{"08", "53", "57P", "58", "57014", "55P03", "25P03", "25P04", "40"} {
			if strings.HasPrefix(failure.Code, class) {
				return fmt.Errorf("%w: the server says: %s", store.ErrUnusable, failure.Message)
			}
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
