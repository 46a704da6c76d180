package fences_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/test/repotest"
	"whence/validate"
	"whence/when"
)

// The memory of this project is true, and what its documents look up has an answer.
func TestOwnMemory(t *testing.T) {
	var out bytes.Buffer
	env := cli.Env{Dir: repotest.Root(t), Getenv: repotest.NoHome, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out}
	env.Args = []string{"memory-validate"}
	require.Equal(t, cli.OK, validate.Main(env), "%s", &out)

	decisions, err := filepath.Glob(filepath.Join(env.Dir, "agents", "decisions", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, decisions)
	env.Args = append([]string{"memory-when", "check", "CONTRIBUTING.md"}, decisions...)
	require.Equal(t, cli.OK, when.Main(env), "%s", &out)
}

// Claude Code runs the programs of the checkout, as the plugin runs those on the PATH. If they are not
// built, the user sees one line.
func TestOwnHooks(t *testing.T) {
	const (
		checkout = `\"$CLAUDE_PROJECT_DIR\"/bin/`
		notBuilt = ` || echo '{\"systemMessage\": \"The memory of whence is off in this checkout. To build it: make build\"}'`
	)
	read := func(name string) (file struct {
		Description string
		Hooks       any
	}) {
		src, err := os.ReadFile(filepath.Join(repotest.Root(t), name))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal([]byte(strings.NewReplacer(checkout, "", notBuilt, "").Replace(string(src))), &file))
		return file
	}
	require.Equal(t, read("hooks/hooks.json").Hooks, read(".claude/settings.json").Hooks)
}
