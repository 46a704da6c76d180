//go:build linux

package cli_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
)

// A patch is unchanged in a pipe, and inert on a terminal.
func TestPrintExact(t *testing.T) {
	const patch = "--- a\n+++ b\n+\x1b]52;c;eA==\a\u202e\ttext\n"
	var out strings.Builder
	require.NoError(t, cli.PrintExact(cli.Env{Stdout: &out}, patch))
	require.Equal(t, patch, out.String())

	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminal can be made here: ", err)
	}
	defer terminal.Close()
	require.True(t, cli.IsTerminal(terminal))
	require.NoError(t, cli.PrintExact(cli.Env{Stdout: terminal}, patch))
	echoed := make([]byte, 4096) // what is written to this end is echoed to it
	n, err := terminal.Read(echoed)
	require.NoError(t, err)
	require.Contains(t, string(echoed[:n]), `\x1b]52;c;eA==\a\u202e`)
}
