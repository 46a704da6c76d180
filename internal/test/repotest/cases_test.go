package repotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// brokenCases are good and bad cases. The bad ones fail in ways of their own.
const brokenCases = `{"id":"good","group":"g","input":{"n":1},"expect":{"n":1,"note":"for a reader"}}
{"id":"unknown-expectation","group":"g","input":{"n":1},"expect":{"n":1,"saved":0}}
{"id":"unknown-input","group":"g","input":{"n":1,"how":"softly"},"expect":{"n":1}}
{"id":"no JSON",
{"id":"nothing-expected","group":"g","input":{"n":1}}
{"id":"wrong","group":"g","input":{"n":2},"expect":{"n":1}}
{"id":"unknown-group","group":"h","expect":{"n":1}}
{"id":"listed","group":"g","input":{"n":2},"expect":{"n":1}}
{"id":"good","group":"g","input":{"n":1},"expect":{"n":1}}
`

// TestBadCasesFail runs bad cases in another process, and looks at what it says of each.
func TestBadCasesFail(t *testing.T) {
	const inside = "WHENCE_BAD_CASES"
	if os.Getenv(inside) != "" {
		Cases{
			File: "bad.jsonl",
			Run: map[string]func(*Case){
				"g": func(c *Case) { require.Equal(c, c.Expect.Number("n"), c.Object("input").Number("n")) },
			},
			Unmet: map[string]string{"listed": "two is not one", "gone": "there was one"},
		}.Test(t)
		return
	}
	shared := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(shared, "cases"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(shared, "cases", "bad.jsonl"), []byte(brokenCases), 0o644))
	cmd := exec.Command(os.Args[0], "-test.run=^TestBadCasesFail$", "-test.v")
	cmd.Env = append(os.Environ(), inside+"=1", "WHENCE_SHARED="+shared)
	printed, err := cmd.CombinedOutput()
	out := string(printed)
	require.Error(t, err, out)
	for _, want := range []string{
		"case.expect.saved", "case.input.how", "unexpected end of JSON input", "nothing expected", "expected: 1", "nothing runs h",
		"there are two cases good", "there is no case gone", "1 cases are listed as not met", "--- PASS: TestBadCasesFail/good ",
	} {
		require.Contains(t, out, want)
	}
	for _, name := range []string{"unknown-expectation", "unknown-input", "wrong", "unknown-group"} {
		require.Contains(t, out, "--- FAIL: TestBadCasesFail/"+name+" ")
	}
	require.NotContains(t, out, "TestBadCasesFail/listed")
}
