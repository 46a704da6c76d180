package team

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Errors of exchanges and administration.
var (
	errNoSchema = errors.New("this database is not prepared for teams: its owner types memory-remember team init URL TEAM")
	errNoMember = errors.New("the server does not let this login read and write there: an admin types memory-remember team admit LOGIN")
)

// explain says what an error of the server means for a user.
func explain(err error) error {
	var failure *pgconn.PgError
	var connecting *pgconn.ConnectError
	switch {
	case errors.As(err, &failure) && strings.HasPrefix(failure.Code, "28"):
		return fmt.Errorf("the server refuses the login (%s): see ~/.pgpass", failure.Message)
	case errors.As(err, &failure) && failure.Code == "42501": // insufficient_privilege
		return fmt.Errorf("%w (%s)", errNoMember, failure.Message)
	case errors.As(err, &failure) && (failure.Code == "3F000" || failure.Code == "42P01"): // no such schema or table
		return errNoSchema
	case errors.As(err, &failure) && failure.Code == "42704": // no such role
		return fmt.Errorf("%s: the server's owner makes a login with createuser --pwprompt LOGIN", failure.Message)
	case errors.As(err, &connecting): // begins with user and database, and joins the errors of all addresses
		lines := strings.Split(errors.Unwrap(connecting).Error(), "\n")
		return fmt.Errorf("the server cannot be reached: %s", strings.TrimSpace(lines[len(lines)-1]))
	case errors.Is(err, context.DeadlineExceeded), pgconn.Timeout(err):
		return errors.New("the server cannot be reached: no answer in time")
	}
	return err
}

// isBadData reports whether the server will never accept these data: they break a limit or a constraint.
func isBadData(err error) bool {
	var failure *pgconn.PgError
	return errors.As(err, &failure) && (failure.Code[:2] == "22" || failure.Code[:2] == "23" || failure.Code[:2] == "54")
}
