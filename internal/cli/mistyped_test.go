package cli_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	urfave "github.com/urfave/cli/v3"

	"whence/internal/cli"
)

func TestMistypedCommands(t *testing.T) {
	app := func() *urfave.Command {
		return &urfave.Command{
			Name:  "demo",
			Flags: []urfave.Flag{&urfave.StringFlag{Name: "repo"}},
			Commands: []*urfave.Command{
				{Name: "search"}, {Name: "list"}, {Name: "rm"},
				{Name: "entry", Commands: []*urfave.Command{{Name: "draft"}, {Name: "rename"}}},
			},
		}
	}
	for _, c := range []struct{ args, typed, meant string }{
		{"serach x", "serach", "search"},
		{"searc", "searc", "search"},
		{"searchh", "searchh", "search"},
		{"lost", "lost", "list"},
		{"lst --repo x", "lst", "list"},
		{"--repo lst serach", "serach", "search"},
		{"entry drfat", "drfat", "draft"},
		{"entry search", "", ""},
		{"drfat", "", ""},
		{"search lst", "", ""},
		{"r", "", ""},
		{"x serach", "", ""},
		{"-- serach", "", ""},
		{"sarech", "", ""},
		{"", "", ""},
	} {
		typed, meant := cli.Mistyped(cli.Env{Args: append([]string{"demo"}, strings.Fields(c.args)...)}, app())
		require.Equal(t, []string{c.typed, c.meant}, []string{typed, meant}, c.args)
	}
	typed, _ := cli.Mistyped(cli.Env{Args: []string{"demo", "serach of texts"}}, app())
	require.Empty(t, typed, "a text in quotes")
}

func TestACommandIsNamedForWhatWasMistyped(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{cli.Usagef("no"), "demo: no; did you mean the command list?\n"},
		{cli.Usagef("did you mean this?"), "demo: did you mean this?\n"},
		{cli.ErrFound, "demo: did you mean the command list? (\"lsit\" is not a command)\n"},
		{nil, ""},
	} {
		var stderr bytes.Buffer
		cli.Main(cli.Env{Getenv: noVariables, Args: []string{"demo", "lsit"}, Stderr: &stderr, Stdout: &stderr}, &urfave.Command{
			Name: "demo", Commands: []*urfave.Command{{Name: "list"}}, Action: func(context.Context, *urfave.Command) error { return c.err },
		}, docGo)
		require.Equal(t, c.want, stderr.String())
	}
}
