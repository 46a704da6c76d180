package e2e

import (
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// The server in the official inspector, which checks all schemas. The tests of remember/mcp call each tool.
func TestInspector(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	inspector := repotest.Program(t, "mcp-inspector")
	bin := installed(t)
	s := newSandbox(t, filepath.Dir(inspector), bin)
	s.user()
	inspect := func(args ...string) (out string, status int) {
		t.Helper()
		out, err := s.try("user", "mcp-inspector", append([]string{
			"--cli", filepath.Join(bin, "memory-remember"), "serve", "-e", "WHENCE_HOME=" + repotest.ClaimHome(t, filepath.Join(s.dir, "store")), "--format", "json",
		}, args...)...)
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return out, exit.ExitCode()
		}
		require.NoError(t, err, out)
		return out, 0
	}
	call := func(tool string, args ...string) (text string, isError bool) {
		t.Helper()
		call := []string{"--method", "tools/call", "--tool-name", tool}
		for _, arg := range args {
			call = append(call, "--tool-arg", arg)
		}
		out, status := inspect(call...)
		var answer struct {
			Result struct{ Content []struct{ Text string } }
		}
		require.NoError(t, json.NewDecoder(strings.NewReader(out)).Decode(&answer), out)
		require.NotEmpty(t, answer.Result.Content, out)
		require.Contains(t, []int{0, 5}, status)
		return answer.Result.Content[0].Text, status == 5
	}

	out, status := inspect("--method", "tools/list", "--strict")
	require.Equal(t, 0, status, out)
	for _, tool := range []string{"store_memory", "search_memory", "when", "forget_memory"} {
		require.Contains(t, out, `"name":"`+tool+`"`)
	}
	learning := []string{"name=Hooks are quiet", "description=Hooks that write to stderr break the JSON.", "reasoning=Seen twice.", "category=anti-patterns", "approved=true", `references=["a.go","b.go"]`}
	text, isError := call("store_memory", learning...)
	require.False(t, isError)
	require.Regexp(t, `^Stored: Hooks are quiet \(id: [0-9a-f]{16}\)$`, text)
	text, _ = call("when", "query=listing many rows")
	require.Contains(t, text, "Pages are named by a cursor.")
}
