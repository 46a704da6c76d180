package cli_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
)

func TestCount(t *testing.T) {
	require.Equal(t, "1 entry", cli.Count(1, "entry", "entries"))
	require.Equal(t, "0 entries", cli.Count(0, "entry", "entries"))
	require.Equal(t, "12 entries", cli.Count(12, "entry", "entries"))
}
