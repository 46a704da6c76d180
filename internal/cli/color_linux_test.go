package cli_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
)

func TestColorOnATerminal(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no terminal can be opened here: ", err)
	}
	defer terminal.Close()
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{"TERM": "xterm"}, true},
		{nil, true},
		{map[string]string{"NO_COLOR": "1"}, false},
		{map[string]string{"NO_COLOR": "0"}, false}, // https://no-color.org: any value but ""
		{map[string]string{"TERM": "dumb"}, false},
	} {
		require.Equal(t, c.want, cli.Color(environment(c.env), terminal), "%v", c.env)
	}
}
