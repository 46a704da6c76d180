package repotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// brokenCases are good and bad cases. The bad ones fail in ways of their own.
const brokenCases = `{"id":"good","group":"g","input":{"n":1},"expect":{"n":1,"note":"for a reader"}}
{"id":"unknown-expectation","group":"g","input":{"n":1},"expect":{"n":1,"saved":0}}
{"id":"unknown-input","group":"g","input":{"n":1,"how":"softly"},"expect":{"n":1}}
{"id":"unknown-key","group":"g","input":{"n":1},"expect":{"n":1},"files":{}}
{"id":"no JSON",
{"id":"nothing-expected","group":"g","input":{"n":1}}
{"id":"wrong","group":"g","input":{"n":2},"expect":{"n":1}}
{"id":"wrong-type","group":"g","input":{"n":"one"},"expect":{"n":1}}
{"id":"panics","group":"panics","expect":{"n":1}}
{"id":"unknown-group","group":"h","expect":{"n":1}}
{"id":"listed","group":"g","input":{"n":2},"expect":{"n":1}}
{"id":"listed-and-met","group":"g","input":{"n":1},"expect":{"n":1}}
{"id":"good","group":"g","input":{"n":1},"expect":{"n":1}}
{"id":"good-at-last","group":"g","input":{"n":1},"expect":{"n":1}}
`

// TestBadCasesFailAlone runs bad cases in a process of its own, and looks at what it says of each.
func TestBadCasesFailAlone(t *testing.T) {
	const inside = "WHENCE_BAD_CASES"
	if os.Getenv(inside) != "" {
		packages["bad.jsonl"] = map[string]string{"g": "repotest", "panics": "repotest", "other": "other"}
		Cases{
			File: "bad.jsonl", Package: "repotest",
			Run: map[string]func(*Case){
				"g":      func(c *Case) { require.Equal(c, c.Expect.Number("n"), c.Object("input").Number("n")) },
				"panics": func(c *Case) { panic("so what") },
			},
			Unmet: map[string]string{"listed": "two is not one", "listed-and-met": "so it says", "gone": "there was one"},
		}.Test(t)
		return
	}
	shared := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(shared, "cases"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(shared, "cases", "bad.jsonl"), []byte(brokenCases), 0o644))
	cmd := exec.Command(os.Args[0], "-test.run=^TestBadCasesFailAlone$", "-test.v")
	cmd.Env = append(os.Environ(), inside+"=1", "WHENCE_SHARED="+shared)
	printed, err := cmd.CombinedOutput()
	out := string(printed)
	require.Error(t, err, out)
	for name, want := range map[string]string{
		"unknown-expectation": "nothing compares case.expect.saved",
		"unknown-input":       "nothing compares case.input.how",
		"unknown-key":         "nothing compares case.files",
		"line_5":              "unexpected end of JSON input",
		"line_6":              "nothing expected",
		"wrong":               "expected: 1",
		"wrong-type":          "case.input.n is string, not float64",
		"panics":              "panic: so what",
		"unknown-group":       "nothing runs h",
		"listed-and-met":      "is met, though it is listed as not met: so it says",
		"good#01":             "there is a case good before it",
	} {
		require.Contains(t, section(out, name), want, name)
		require.Contains(t, out, "--- FAIL: TestBadCasesFailAlone/"+name+" ")
	}
	require.Contains(t, section(out, "listed"), "not met: two is not one")
	for _, name := range []string{"good", "good-at-last", "listed"} {
		require.Contains(t, out, "--- PASS: TestBadCasesFailAlone/"+name+" ")
	}
	require.Contains(t, out, "gone is listed without a reason, or there is no such case")
	require.Contains(t, out, "bad.jsonl: 2 cases are met, 1 are listed as not met, 11 failed")
}

// section is the output of a subtest.
func section(out, name string) string {
	_, rest, _ := strings.Cut(out, "=== RUN   TestBadCasesFailAlone/"+name+"\n")
	here, _, _ := strings.Cut(rest, "=== RUN ")
	return here
}
