package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	urfave "github.com/urfave/cli/v3"

	"whence/internal/cli"
)

// completion returns the script of a program that has all kinds of flags and arguments.
func completion(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	status = cli.Main(cli.Env{Getenv: noVariables, Args: append([]string{"demo", "completion"}, args...), Stdout: &out, Stderr: &errs}, &urfave.Command{
		Name: "demo",
		Commands: []*urfave.Command{
			{Name: "group", Usage: "work on \"a\" group's things", Commands: []*urfave.Command{
				{Name: "add", Usage: "add below", Flags: []urfave.Flag{
					&urfave.StringFlag{Name: "scope", Aliases: []string{"s"}, Usage: "this `SCOPE`: user, project (shared) or local; may be repeated"},
					&urfave.StringFlag{Name: "since", Usage: "since `TIME`, such as 30d or all"},
					&urfave.StringFlag{Name: "store", Usage: "`STORE`: local, a folder, or postgres://user@host"},
					&urfave.StringFlag{Name: "plan", Usage: "the plan is in `FILE`"},
					&urfave.StringFlag{Name: "repo", Usage: "work in `DIR`"},
					&urfave.StringFlag{Name: "secret", Hidden: true},
				}},
			}},
			{Name: "rate", ArgsUsage: "NAME helped|wrong"},
		},
	}, docGo)
	return status, out.String(), errs.String()
}

func TestCompletionHoldsAllWords(t *testing.T) {
	_, script, _ := completion(t, "powershell")
	_, words, _ := strings.Cut(script, "$rows = '")
	words, _, _ = strings.Cut(words, "' -split")
	require.Equal(t, `demo|group|command||work on "a" group''s things
demo|rate|command||
demo|completion|command||print a script for TAB completion in a shell
demo|help|command||print the help of a command, or the manual
demo|--version|flag||print the version
demo|-v|flag||print the version
demo|--help|flag||show help
demo|-h|flag||show help
demo group|add|command||add below
demo group|--help|flag||show help
demo group|-h|flag||show help
demo group add|--scope|value|user project local|this SCOPE: user, project (shared) or local; may be repeated
demo group add|-s|value|user project local|this SCOPE: user, project (shared) or local; may be repeated
demo group add|--since|value||since TIME, such as 30d or all
demo group add|--store|value||STORE: local, a folder, or postgres://user@host
demo group add|--plan|value|FILE|the plan is in FILE
demo group add|--repo|value|DIR|work in DIR
demo group add|--help|flag||show help
demo group add|-h|flag||show help
demo rate|helped|argument||
demo rate|wrong|argument||
demo rate|--help|flag||show help
demo rate|-h|flag||show help
demo completion|bash|argument||
demo completion|zsh|argument||
demo completion|fish|argument||
demo completion|powershell|argument||
demo completion|--help|flag||show help
demo completion|-h|flag||show help
demo help|--help|flag||show help
demo help|-h|flag||show help`, words)
}

func TestCompletionNeedsAKnownShell(t *testing.T) {
	for _, args := range []string{"", "tcsh", "bash zsh"} {
		status, stdout, stderr := completion(t, strings.Fields(args)...)
		require.Equal(t, cli.Usage, status)
		require.Empty(t, stdout)
		require.Equal(t, "demo: completion: name one shell: bash, zsh, fish or powershell\n", stderr)
	}
}

// drivers are programs of shells that print, for each command line that is an argument, a line "=" and
// what TAB offers. The script is in $SCRIPT.
var drivers = map[string]string{
	"bash": `. "$SCRIPT"
for line in "$@"; do
	echo =
	COMP_WORDS=(${line//=/ = })
	case $line in *' ') COMP_WORDS+=('') ;; esac
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	_demo
	printf '%s\n' "${COMPREPLY[@]}"
done`,
	"fish": `source $SCRIPT
for line in $argv[2..]
	echo =
	complete -C $line
end`,
	// The functions of zsh that its line editor has, as far as the script uses them.
	"zsh": `offer() { local word; for word in "$@"; do [[ $word != $PREFIX* ]] || print -r -- "$word"; done }
compdef() { : }
compadd() { shift; offer "$@" }
_describe() { local -a all=("${(@P)2}"); offer "${(@)all%%:*}" }
_files() { if [[ $1 == -/ ]]; then offer *(/); else offer *; fi }
compset() { [[ $PREFIX == --*=* ]] && IPREFIX=${PREFIX%%=*}= PREFIX=${PREFIX#*=} }
. $SCRIPT
for line in "$@"; do
	print =
	words=(${=line}); [[ $line != *' ' ]] || words+=('')
	CURRENT=$#words PREFIX=$words[CURRENT]
	_demo; true
done`,
}

// What TAB offers, in each shell that is here.
func TestCompletionInShells(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "plan.tsv"), nil, 0o644))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "plans"), 0o755))
	for shell, driver := range drivers {
		t.Run(shell, func(t *testing.T) {
			if _, err := exec.LookPath(shell); err != nil {
				t.Skip("there is no ", shell)
			}
			_, text, _ := completion(t, shell)
			script := filepath.Join(t.TempDir(), "script")
			require.NoError(t, os.WriteFile(script, []byte(text), 0o644))
			tries := []struct{ line, want string }{
				{"demo ", "completion group help rate"},
				{"demo gr", "group"},
				{"demo group ", "add"},
				{"demo group add --s", "--scope --since --store"},
				{"demo group add --scope ", "local project user"},
				{"demo group add -s p", "project"},
				{"demo group add --scope=l", "local"},
				{"demo group add --scope=", "local project user"},
				{"demo group add --since all --re", "--repo"},
				{"demo group add --since group --re", "--repo"},
				{"demo group add --plan plan", "plan.tsv plans"},
				{"demo group add --repo plan", "plans"},
				{"demo rate it ", "helped wrong"},
				{"demo completion z", "zsh"},
			}
			cmd := exec.Command(shell, "-c", driver, shell)
			for _, try := range tries {
				cmd.Args = append(cmd.Args, try.line)
			}
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "SCRIPT="+script, "HOME="+dir)
			out, err := cmd.Output()
			require.NoError(t, err)
			answers := strings.Split(string(out), "=\n")[1:]
			require.Len(t, answers, len(tries))
			for i, try := range tries {
				var offered []string
				for line := range strings.Lines(answers[i]) {
					word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")             // fish adds the usage
					word = strings.TrimSuffix(strings.TrimPrefix(word, "--scope="), "/") // and repeats the flag
					offered = append(offered, word)
				}
				require.ElementsMatch(t, strings.Fields(try.want), offered, try.line)
			}
		})
	}
}
