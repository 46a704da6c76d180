package postgres

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestValuesNumberTheirArguments(t *testing.T) {
	require.Equal(t, `($1)`, engine{}.Values(1, 1))
	require.Equal(t, `($1, $2, $3), ($4, $5, $6)`, engine{}.Values(2, 3))
}
