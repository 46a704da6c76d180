package dispatch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/test/repotest"
)

// A pointer says how a decision is read: with the plugin's skill, or by the program.
func TestReading(t *testing.T) {
	t.Setenv("PATH", "")
	for plugin, want := range map[string]string{
		repotest.Root(t): "use the skill: /when <trigger>",
		t.TempDir():      "memory-when '<trigger>' ['<another>']",
		"":               "memory-when '<trigger>' ['<another>']",
	} {
		r := &Request{Env: cli.Env{Getenv: func(string) string { return plugin }}}
		require.Equal(t, want, r.reading())
	}
}
