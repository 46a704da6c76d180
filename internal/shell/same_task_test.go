package shell_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/shell"
)

// -h asks for help, or names a host.
func TestIsSameTaskOnAHost(t *testing.T) {
	const failed = "psql app -c 'select 1'"
	for passed, same := range map[string]bool{
		"psql -h localhost app -c 'select 1'":   true,
		"psql -h":                               false,
		"psql app -c 'select 1' -h":             false,
		"psql -h localhost other -c 'select 1'": false,
	} {
		require.Equal(t, same, shell.IsSameTask(shell.RunOf(failed, "/r"), shell.RunOf(passed, "/r"), "could not connect"), passed)
	}
}
