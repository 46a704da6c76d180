package fences_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/hooks"
	"whence/internal/cli"
	"whence/internal/test/repotest"
	"whence/migrate"
	"whence/remember"
	"whence/remember/embedding"
	"whence/remember/mcp"
	"whence/validate"
	"whence/when"
)

var programs = map[string]func(cli.Env) int{
	"memory-validate": validate.Main,
	"memory-migrate":  migrate.Main,
	"memory-when":     when.Main,
	"memory-remember": func(env cli.Env) int {
		return remember.Main(env, remember.Parts{Serve: mcp.Serve, Embed: embedding.Vectors})
	},
	"memory-hooks": hooks.Main,
}

var (
	commandRow = regexp.MustCompile(`(?m)^   ([a-z-]+)(?:, h)?  +`)
	flagRow    = regexp.MustCompile(`(?m)^   (--[a-z-]+)`)
	flagName   = regexp.MustCompile(`--[a-z][a-z-]*`)
)

// Each command of a program prints its help on standard output, and the manual names only flags that
// the help lists.
func TestHelp(t *testing.T) {
	for name, program := range programs {
		t.Run(name, func(t *testing.T) {
			page := func(args ...string) string {
				var stdout, stderr strings.Builder
				status := program(cli.Env{
					Args: append([]string{name}, args...), Dir: t.TempDir(), Getenv: repotest.NoHome,
					Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
				})
				require.Equal(t, cli.OK, status, stderr.String())
				require.Empty(t, stderr.String())
				return stdout.String()
			}
			flags := map[string]bool{}
			var visit func(command ...string)
			visit = func(command ...string) {
				help := page(append(command, "--help")...)
				require.Contains(t, help, "\n   "+strings.Join(append([]string{name}, command...), " "))
				for _, m := range flagRow.FindAllStringSubmatch(help, -1) {
					flags[m[1]] = true
				}
				_, rows, _ := strings.Cut(help, "\nCOMMANDS:\n")
				rows, _, _ = strings.Cut(rows, "\n\n")
				for _, m := range commandRow.FindAllStringSubmatch(rows, -1) {
					if m[1] != "help" && m[1] != "manual" {
						visit(append(command[:len(command):len(command)], m[1])...)
					}
				}
			}
			visit()
			require.Contains(t, page("help"), name+" help manual")
			for _, flag := range flagName.FindAllString(page("help", "manual"), -1) {
				require.Contains(t, flags, flag)
			}
		})
	}
}
