package postgres_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"whence/internal/store"
	"whence/internal/store/postgres"
)

// What the server fails with is either a reason to wait for it, or to try the same transaction
// again, or neither. Only what is known to pass is tried again.
func TestClassesOfErrors(t *testing.T) {
	const unavailable, retryable, permanent, forbidden = "unavailable", "retryable", "permanent", "forbidden"
	for state, want := range map[string]string{
		"08000": unavailable, "08003": unavailable, "08006": unavailable, "08P01": unavailable,
		"25006": unavailable,
		"28000": unavailable, "28P01": unavailable,
		"53000": unavailable, "53100": unavailable, "53300": unavailable,
		"57P01": unavailable, "57P02": unavailable, "57P03": unavailable, "57P04": unavailable, "57P05": unavailable,
		"58000": unavailable, "58030": unavailable,

		"25P03": retryable, "25P04": retryable,
		"40000": retryable, "40001": retryable, "40003": retryable, "40P01": retryable,
		"53200": retryable, "53400": retryable,
		"55P03": retryable, "57014": retryable,

		"42501": forbidden,

		"0A000": permanent, "21000": permanent, "22001": permanent, "22021": permanent, "22P05": permanent,
		"23502": permanent, "23503": permanent, "23505": permanent, "23514": permanent,
		"25P02": permanent, "2200G": permanent, "3F000": permanent,
		"42601": permanent, "42703": permanent, "42P01": permanent, "42883": permanent,
		"44000": permanent, "54000": permanent, "54001": permanent, "55000": permanent, "55006": permanent, "57000": permanent,
		"P0001": permanent, "XX000": permanent, "XX001": permanent,
		"ZZ999": permanent, "99999": permanent, "A1B2C": permanent, "": permanent, // no one knows them
	} {
		t.Run(state, func(t *testing.T) {
			failure := &pgconn.PgError{Severity: "ERROR", Code: state, Message: "so says the server"}
			err := postgres.Explain(fmt.Errorf("store a learning: %w", failure))
			got := permanent
			switch {
			case errors.Is(err, store.ErrInterrupted):
				got = retryable
			case errors.Is(err, store.ErrUnusable):
				got = unavailable
			case errors.Is(err, store.ErrForbidden):
				got = forbidden
			}
			require.Equal(t, want, got)
			require.ErrorContains(t, err, "so says the server")
			if got == retryable {
				require.ErrorIs(t, err, store.ErrUnusable, "commands go on with the copy")
			}
		})
	}
}
