package fences_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/hooks"
	"whence/internal/cli"
	"whence/internal/store"
	"whence/migrate"
	"whence/remember"
	"whence/remember/mcp"
	"whence/validate"
	"whence/when"
)

var programs = map[string]func(cli.Env) int{
	"memory-validate": validate.Main,
	"memory-migrate":  migrate.Main,
	"memory-when":     when.Main,
	"memory-remember": func(env cli.Env) int { return remember.Main(env, mcp.Serve, nil, store.Servers{}) },
	"memory-hooks":    hooks.Main,
}

var (
	commandRow = regexp.MustCompile(`(?m)^  (memory-\w+(?: [a-z-]+)+)(?:  |$)`)
	flagRow    = regexp.MustCompile(`(?m)^  (--[a-z-]+)`)
	flagName   = regexp.MustCompile(`--[a-z][a-z-]*`)
)

// The help of a program and of each command fits a screen of 80 columns and 24 lines. It names only
// flags that exist, and the manual, 80 columns wide too, names all commands.
func TestHelp(t *testing.T) {
	for name, program := range programs {
		t.Run(name, func(t *testing.T) {
			page := func(args ...string) string {
				var stdout, stderr strings.Builder
				status := program(cli.Env{
					Args: append([]string{name}, args...), Dir: t.TempDir(), Getenv: func(string) string { return "" },
					Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
				})
				require.Equal(t, cli.OK, status, stderr.String())
				require.Empty(t, stderr.String())
				for line := range strings.Lines(stdout.String()) {
					require.LessOrEqual(t, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")), 80, "%s: %s", args, line)
				}
				return stdout.String()
			}
			help, manual := page("--help"), page("help", "manual")
			require.LessOrEqual(t, strings.Count(help, "\n"), 24)
			require.Equal(t, help, page("-h"))
			require.Equal(t, help, page("help"))
			require.True(t, strings.HasPrefix(manual, help))
			require.Contains(t, help, name+" help manual")

			prose, reference, found := strings.Cut(manual, "\n# Commands\n")
			require.True(t, found)
			flags := map[string]bool{}
			collect := func(page string) {
				for _, m := range flagRow.FindAllStringSubmatch(page, -1) {
					flags[m[1]] = true
				}
			}
			collect(reference)
			commands := commandRow.FindAllStringSubmatch(reference, -1)
			require.NotEmpty(t, commands)
			for _, m := range commands {
				args := strings.Fields(m[1])[1:]
				ofCommand := page(append(args, "--help")...)
				require.Equal(t, ofCommand, page(append([]string{"help"}, args...)...))
				require.LessOrEqual(t, strings.Count(ofCommand, "\n"), 24, ofCommand)
				collect(ofCommand)
			}
			for _, flag := range flagName.FindAllString(prose, -1) {
				require.Contains(t, flags, flag)
			}
		})
	}
}

// The completions of a program name all commands and flags of its help.
func TestCompletions(t *testing.T) {
	for name, program := range programs {
		t.Run(name, func(t *testing.T) {
			page := func(args ...string) string {
				var stdout strings.Builder
				require.Equal(t, cli.OK, program(cli.Env{
					Args: append([]string{name}, args...), Dir: t.TempDir(), Getenv: func(string) string { return "" },
					Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stdout,
				}), &stdout)
				return stdout.String()
			}
			words := page("completion", "bash")
			_, reference, _ := strings.Cut(page("help", "manual"), "\n# Commands\n")
			named := func(command, help string) {
				for _, m := range flagRow.FindAllStringSubmatch(help, -1) {
					require.Contains(t, words, "\n"+command+"|"+m[1]+"|")
				}
			}
			named(name, reference)
			for _, m := range commandRow.FindAllStringSubmatch(reference, -1) {
				args := strings.Fields(m[1])
				require.Contains(t, words, strings.Join(args[:len(args)-1], " ")+"|"+args[len(args)-1]+"|command|")
				named(m[1], page(append(args[1:], "--help")...))
			}
		})
	}
}

// Each --format and --color has a usage from which its values can be completed.
func TestFormatsAreCompleted(t *testing.T) {
	flag := regexp.MustCompile(`(?m)^(.*)\|--(?:format|color)\|value\|(.*)\|`)
	for name, program := range programs {
		var stdout strings.Builder
		require.Equal(t, cli.OK, program(cli.Env{Args: []string{name, "completion", "zsh"}, Getenv: func(string) string { return "" }, Stdout: &stdout}))
		found := flag.FindAllStringSubmatch(stdout.String(), -1)
		require.NotEmpty(t, found)
		for _, m := range found {
			require.Contains(t, []string{"text json", "text tsv", "text json sarif github", "auto always never"}, m[2], m[1])
		}
	}
}
