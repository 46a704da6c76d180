package remember_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/validate"
	"whence/when"
)

// programs are those that the examples run.
var programs = map[string]func(cli.Env) int{
	"memory-remember": program, "memory-when": when.Main, "memory-validate": validate.Main,
}

// The console examples of docs/remember.md, run one behind the other in a copy of
// examples/ferry to which the decision of the document is added, print what it shows.
func TestDocumentedExamples(t *testing.T) {
	const name = "../docs/remember.md"
	src, err := os.ReadFile(name)
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("../examples/ferry")))
	decision := regexp.MustCompile("(?ms)^```markdown\n(.*?)^```$").FindStringSubmatch(string(src))
	require.NotNil(t, decision)
	file, err := os.OpenFile(filepath.Join(dir, "agents/decisions/api.md"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.WriteString("\n" + decision[1])
	require.NoError(t, err)
	require.NoError(t, file.Close())

	console := regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
	got := console.ReplaceAllStringFunc(string(src), func(block string) string {
		var out strings.Builder
		out.WriteString("```console\n")
		for line := range strings.Lines(block) {
			if command, isCommand := strings.CutPrefix(line, "$ "); isCommand {
				out.WriteString(line + run(t, dir, strings.TrimSpace(command)))
			}
		}
		return out.String() + "```"
	})
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
		return
	}
	require.Equal(t, string(src), got)

	found, err := validate.Run(os.DirFS(dir), config.Default())
	require.NoError(t, err)
	require.Empty(t, found, "the examples leave a memory without faults")
}

// run runs a command line: "program arguments", or "echo text | program arguments".
func run(t *testing.T, dir, line string) string {
	t.Helper()
	input := ""
	if echo, rest, piped := strings.Cut(line, " | memory-"); piped && strings.HasPrefix(line, "echo ") {
		input, line = words(echo)[1]+"\n", "memory-"+rest
	}
	args := words(line)
	require.Contains(t, programs, args[0])
	var out strings.Builder
	programs[args[0]](cli.Env{
		Args: args, Dir: dir, Getenv: func(name string) string {
			return map[string]string{"WHENCE_HOME": filepath.Join(dir, ".store")}[name]
		},
		Stdin: strings.NewReader(input), Stdout: &out, Stderr: &out,
	})
	return out.String()
}

// words splits a command line at blanks outside of quotes.
func words(line string) []string {
	var all []string
	for _, m := range regexp.MustCompile(`'([^']*)'|"([^"]*)"|(\S+)`).FindAllStringSubmatch(line, -1) {
		all = append(all, m[1]+m[2]+m[3])
	}
	return all
}
