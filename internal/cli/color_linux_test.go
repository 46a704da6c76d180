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
		setting string
		env     map[string]string
		want    bool
	}{
		{"auto", map[string]string{"TERM": "xterm"}, true},
		{"auto", nil, true},
		{"auto", map[string]string{"NO_COLOR": "1"}, false},
		{"auto", map[string]string{"NO_COLOR": "0"}, false}, // https://no-color.org: any value but ""
		{"auto", map[string]string{"TERM": "dumb"}, false},
		{"always", map[string]string{"NO_COLOR": "1", "TERM": "dumb"}, true},
		{"never", map[string]string{"TERM": "xterm"}, false},
	} {
		got, err := cli.Color(environment(c.env), c.setting, terminal)
		require.NoError(t, err)
		require.Equal(t, c.want, got, "%s %v", c.setting, c.env)
	}
}
