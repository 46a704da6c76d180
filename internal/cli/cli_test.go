package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
)

const docGo = `// demo does nothing.
//
//	demo x.md
//	demo y.md
//
// That is all.
//
// # Details
//
// There are none.
package main

// This is no part of the manual.
`

type result struct {
	status         int
	stdout, stderr string
}

// run runs a program that prints its flags and arguments, then ends with err.
func run(err error, args ...string) result {
	var stdout, stderr bytes.Buffer
	status := cli.Main(cli.Env{
		Args: append([]string{"/usr/bin/demo"}, args...), Getenv: func(string) string { return "" },
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
	}, &urfave.App{
		Name: "demo",
		Flags: []urfave.Flag{
			&urfave.StringFlag{Name: "name", Aliases: []string{"n"}, Usage: "call it `NAME`"},
			&urfave.StringSliceFlag{Name: "list"},
			&urfave.IntFlag{Name: "num"},
			&urfave.BoolFlag{Name: "fix", Aliases: []string{"f"}},
		},
		Action: func(c *urfave.Context) error {
			fmt.Fprintf(c.App.Writer, "%q %q %d %t %q", c.String("name"), c.StringSlice("list"), c.Int("num"), c.Bool("fix"), c.Args().Slice())
			return err
		},
	}, docGo)
	return result{status, stdout.String(), stderr.String()}
}

func TestExitStatus(t *testing.T) {
	const out = `"" [] 0 false []`
	for _, c := range []struct {
		name string
		err  error
		want result
	}{
		{"fine", nil, result{0, out, ""}},
		{"findings are left", cli.ErrFound, result{1, out, ""}},
		{"findings are left, wrapped", fmt.Errorf("check: %w", cli.ErrFound), result{1, out, ""}},
		{"usage", cli.Usagef("unknown rule %q", "x"), result{3, out, "demo: unknown rule \"x\"\n"}},
		{"usage, wrapped", fmt.Errorf("read settings: %w", cli.Usagef("bad")), result{3, out, "demo: read settings: bad\n"}},
		{"failure", os.ErrPermission, result{4, out, "demo: permission denied\n"}},
		{"an error with a status of its own", urfave.Exit("no", 2), result{4, out, "demo: no\n"}},
		{"an error of many lines", errors.New("one\ntwo\r\nthree\n"), result{4, out, "demo: one; two; three\n"}},
		{"errors joined", errors.Join(os.ErrExist, os.ErrClosed), result{4, out, "demo: file already exists; file already closed\n"}},
		{"a usage error of many lines", cli.Usagef("one\ntwo"), result{3, out, "demo: one; two\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, run(c.err))
		})
	}
}

func TestFlagsStandBeforeAndAfterArguments(t *testing.T) {
	for _, c := range []struct {
		args string // split at spaces
		want string
	}{
		{"", `"" [] 0 false []`},
		{"a b", `"" [] 0 false ["a" "b"]`},
		{"--name x a", `"x" [] 0 false ["a"]`},
		{"a --name x", `"x" [] 0 false ["a"]`},
		{"a --name x b", `"x" [] 0 false ["a" "b"]`},
		{"a --name=x b", `"x" [] 0 false ["a" "b"]`},
		{"a -n x -f b", `"x" [] 0 true ["a" "b"]`},
		{"a -name x -fix b", `"x" [] 0 true ["a" "b"]`},
		{"--fix a", `"" [] 0 true ["a"]`},
		{"a --fix", `"" [] 0 true ["a"]`},
		{"--fix=false a", `"" [] 0 false ["a"]`},
		{"--name= a", `"" [] 0 false ["a"]`},
		{"--name=x=y a", `"x=y" [] 0 false ["a"]`},
		{"a --list x b --list y", `"" ["x" "y"] 0 false ["a" "b"]`},
		{"--list a,b a --list {c,d}", `"" ["a,b" "{c,d}"] 0 false ["a"]`},
		{"--name x a --name y", `"y" [] 0 false ["a"]`},
		{"a --num -5", `"" [] -5 false ["a"]`},
		{"a --name --fix b", `"--fix" [] 0 false ["a" "b"]`},
		{"a --name - b", `"-" [] 0 false ["a" "b"]`},
		{"-", `"" [] 0 false ["-"]`},
		{"a - --fix", `"" [] 0 true ["a" "-"]`},
		{"--", `"" [] 0 false []`},
		{"--fix -- a", `"" [] 0 true ["a"]`},
		{"a -- --fix --bogus -", `"" [] 0 false ["a" "--fix" "--bogus" "-"]`},
		{"a --fix -- -- b", `"" [] 0 true ["a" "--" "b"]`},
		{"-- --fix", `"" [] 0 false ["--fix"]`},
		{"-- --help -h", `"" [] 0 false ["--help" "-h"]`},
		{"name fix", `"" [] 0 false ["name" "fix"]`},
	} {
		t.Run(c.args, func(t *testing.T) {
			require.Equal(t, result{0, c.want, ""}, run(nil, strings.Fields(c.args)...))
		})
	}
	require.Equal(t, `"" [] 0 true ["" "a b"]`, run(nil, "", "a b", "--fix").stdout)
	require.Equal(t, `"x y" [] 0 true ["-5" "- a" "--no-verify is wrong"]`, run(nil, "-5", "- a", "--no-verify is wrong", "--fix", "--name=x y").stdout)
}

func TestAWrongFlagIsAUsageErrorOfOneLine(t *testing.T) {
	const hint = " (demo --help lists the flags)\n"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--lsit"}, "unknown flag --lsit; did you mean --list?"},
		{[]string{"a", "--nmae"}, "unknown flag --nmae; did you mean --name?"},
		{[]string{"a", "--nmae", "b", "--fix"}, "unknown flag --nmae; did you mean --name?"},
		{[]string{"a", "--nmae=1"}, "unknown flag --nmae; did you mean --name?"},
		{[]string{"--bogus"}, "unknown flag --bogus"},
		{[]string{"--fix", "-x", "a"}, "unknown flag -x"},
		{[]string{"---fix"}, "bad flag syntax: ---fix"},
		{[]string{"--=x"}, "bad flag syntax: --=x"},
		{[]string{"--name"}, "flag needs an argument: --name"},
		{[]string{"a", "--fix", "-n"}, "flag needs an argument: -n"},
		{[]string{"--num", "x"}, `invalid value "x" for flag --num: parse error`},
		{[]string{"a", "--fix=maybe"}, `invalid boolean value "maybe" for --fix: parse error`},
		{[]string{"--\nlist\nlast"}, "unknown flag -; list; last"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			require.Equal(t, result{cli.Usage, "", "demo: " + c.want + hint}, run(nil, c.args...))
		})
	}
}

func TestHelp(t *testing.T) {
	for _, args := range []string{
		"help", "--help", "-h", "--fix --help", "--version --help", "a -h b", "--name x --help --", "--help -- a",
		"--help --bogus", "--bogus --help", "--num x -h", "-h ---fix", "--help --name", // the rest may be wrong
	} {
		got := run(errors.New("the action must not run"), strings.Fields(args)...)
		require.Equal(t, result{cli.OK, `NAME:
   demo - does nothing

USAGE:
   demo x.md
   demo y.md

VERSION:
   ` + cli.Version + `

DESCRIPTION:
   That is all.

COMMANDS:
   manual   print the manual
   help, h  Shows a list of commands or help for one command

GLOBAL OPTIONS:
   --name NAME, -n NAME           call it NAME
   --list value [ --list value ]  
   --num value                    (default: 0)
   --fix, -f                      
   --help, -h                     show help
   --version, -v                  print the version
`, ""}, got, args)
	}
}

func TestManual(t *testing.T) {
	const manual = "demo does nothing.\n\n  demo x.md\n  demo y.md\n\nThat is all.\n\n# Details\n\nThere are none.\n"
	for _, args := range []string{"help manual", "manual", "manual --help"} {
		require.Equal(t, result{cli.OK, manual, ""}, run(errors.New("the action must not run"), strings.Fields(args)...), args)
	}
}

// TAB runs no action, not even after "--", where urfave/cli would run it. Its output is tested with the programs, since
// urfave/cli completes the arguments of the process.
func TestCompletionRunsNoAction(t *testing.T) {
	for _, args := range []string{"", "a text", "--name", "--name x", "--bogus", "-- a", "a -- b"} {
		got := run(errors.New("the action must not run"), append(strings.Fields(args), "--generate-bash-completion")...)
		require.Equal(t, cli.OK, got.status, args)
		require.NotContains(t, got.stdout, "[", args)
	}
}

// runCommands runs a program whose commands print their name, flags and arguments.
func runCommands(args ...string) result {
	var stdout, stderr bytes.Buffer
	action := func(c *urfave.Context) error {
		fmt.Fprintf(c.App.Writer, "%s %q %q %t %q", c.Command.Name, c.String("name"), c.StringSlice("list"), c.Bool("fix"), c.Args().Slice())
		return nil
	}
	shared := []urfave.Flag{&urfave.StringFlag{Name: "name"}, &urfave.BoolFlag{Name: "fix"}}
	status := cli.Main(cli.Env{Getenv: noVariables, Args: append([]string{"demo"}, args...), Stdout: &stdout, Stderr: &stderr}, &urfave.App{
		Name: "demo", Flags: shared, Action: action, Commands: []*urfave.Command{
			{Name: "add", Usage: "add a thing to the list", Description: "A thing is added to the list, with a text that does not fit into one line of the screen.", ArgsUsage: "THING", Aliases: []string{"a"}, Action: action, Flags: append([]urfave.Flag{&urfave.StringSliceFlag{Name: "list"}}, shared...)},
			{Name: "drop", Action: action},
			{Name: "group", Usage: "a group", Action: action, Flags: shared, Subcommands: []*urfave.Command{{Name: "add", Usage: "adds below", Action: action, Flags: []urfave.Flag{&urfave.StringFlag{Name: "deep"}}}}},
		},
	}, docGo)
	return result{status, stdout.String(), stderr.String()}
}

func TestCommands(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", `demo "" [] false []`},
		{"x", `demo "" [] false ["x"]`},
		{"--name v x", `demo "v" [] false ["x"]`},
		{"add", `add "" [] false []`},
		{"add x y", `add "" [] false ["x" "y"]`},
		{"a x", `add "" [] false ["x"]`},
		{"add --name v -- x", `add "v" [] false ["x"]`},
		{"--name v add x", `add "v" [] false ["x"]`},
		{"--name v --fix add x", `add "v" [] true ["x"]`},
		{"--name=v add x --fix", `add "v" [] true ["x"]`},
		{"--name add add x", `add "add" [] false ["x"]`},
		{"add x --list u,v y --list w", `add "" ["u,v" "w"] false ["x" "y"]`}, // a flag that only the command has
		{"add -- --fix x", `add "" [] false ["--fix" "x"]`},
		{"add drop add", `add "" [] false ["drop" "add"]`},
		{"x add", `demo "" [] false ["x" "add"]`},
		{"group", `group "" [] false []`},
		{"group x add", `group "" [] false ["x" "add"]`},
		{"--name v group", `group "v" [] false []`},
		{"group add x --deep v y", `add "" [] false ["x" "y"]`},
		{"group add add", `add "" [] false ["add"]`},
		{"-- add x", `demo "" [] false ["add" "x"]`},
		{"--fix -- help", `demo "" [] true ["help"]`},
		{"group -- add x", `group "" [] false ["add" "x"]`},
		{"add help", `add "" [] false ["help"]`},
		{"x help", `demo "" [] false ["x" "help"]`},
	} {
		require.Equal(t, result{0, c.want, ""}, runCommands(strings.Fields(c.args)...), c.args)
	}
}

func TestHelpOfACommand(t *testing.T) {
	for _, args := range []string{"add --help", "add -h", "add x --bogus --help --name", "--name v add --help", "--bogus add -h", "help add", "help a"} {
		got := runCommands(strings.Fields(args)...)
		require.Equal(t, result{cli.OK, `NAME:
   demo add - add a thing to the list

USAGE:
   demo add [command options] THING

DESCRIPTION:
   A thing is added to the list, with a text that does not fit into one line of
   the screen.

OPTIONS:
   --list value [ --list value ]  
   --name value                   
   --fix                          
   --help, -h                     show help
`, ""}, got, args)
	}
	require.Contains(t, runCommands("--help", "add").stdout, "demo x.md")
	for _, args := range []string{"group --help", "help group", "group help"} {
		require.Contains(t, runCommands(strings.Fields(args)...).stdout, "add  adds below", args)
	}
	for _, args := range []string{"group add x --help", "help group add", "group help add"} {
		require.Contains(t, runCommands(strings.Fields(args)...).stdout, "--deep", args)
	}
	require.Contains(t, runCommands("help", "grop").stdout, "demo x.md", "the help of the program lists the commands")
	require.Equal(t, result{cli.Usage, "", "demo: unknown flag --depe; did you mean --deep? (demo group add --help lists the flags)\n"}, runCommands("group", "add", "--depe"))
}

func TestTheActionReadsAndWritesTheStreamsOfEnv(t *testing.T) {
	var stdout, stderr bytes.Buffer
	status := cli.Main(cli.Env{Getenv: noVariables, Args: []string{"demo"}, Stdin: strings.NewReader("in"), Stdout: &stdout, Stderr: &stderr}, &urfave.App{
		Name: "demo",
		Action: func(c *urfave.Context) error {
			in, err := io.ReadAll(c.App.Reader)
			fmt.Fprintf(c.App.Writer, "read %s", in)
			fmt.Fprint(c.App.ErrWriter, "done")
			return err
		},
	}, docGo)
	require.Equal(t, result{0, "read in", "done"}, result{status, stdout.String(), stderr.String()})
}

func TestColorWithoutATerminal(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer file.Close()
	for _, w := range []io.Writer{new(bytes.Buffer), file} {
		require.False(t, cli.Color(environment(nil), w))
	}
}

func environment(variables map[string]string) cli.Env {
	return cli.Env{Getenv: func(name string) string { return variables[name] }}
}
