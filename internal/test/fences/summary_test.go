package fences_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// What make test prints: what failing packages print, why tests were skipped, and at last which
// failed and the summary of go test, with its status.
func TestSummary(t *testing.T) {
	if _, err := exec.LookPath("awk"); err != nil {
		t.Skip("there is no awk")
	}
	const verbose = `=== RUN   TestA
=== RUN   TestA/x
    a_test.go:9: there is no shell
--- PASS: TestA (0.00s)
    --- SKIP: TestA/x (0.00s)
PASS
ok  	whence/a	0.01s
=== RUN   TestB
    b_test.go:3: there is no shell
--- SKIP: TestB (0.00s)
=== RUN   TestC
    b_test.go:9: broken
--- FAIL: TestC (0.00s)
=== RUN   TestD
    b_test.go:7: needs clients: x
--- SKIP: TestD (0.00s)
FAIL
FAIL	whence/b	0.01s
FAIL
exit 1
`
	cmd := exec.Command("awk", "-f", filepath.Join(repotest.Root(t), ".ci", "summary.awk"))
	cmd.Stdin = strings.NewReader(verbose)
	out, err := cmd.Output()
	require.Error(t, err)
	require.Equal(t, 1, cmd.ProcessState.ExitCode())
	require.NotContains(t, string(out), "TestA")
	require.Contains(t, string(out), "    b_test.go:9: broken\n")
	require.True(t, strings.HasSuffix(string(out), "3 tests were skipped:\n     2  there is no shell\n     1  needs clients: x\n"+
		"To run a test that needs something, do what its reason says; one that root cannot fail, run as another user.\n"+
		"WHENCE_REQUIRE=clients,postgres,gitleaks,shared makes what is missing a failure.\n--- FAIL: TestC (0.00s)\nok  \twhence/a\t0.01s\nFAIL\twhence/b\t0.01s\nFAIL\n"), string(out))
}
