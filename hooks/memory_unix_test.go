//go:build unix

package hooks_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// A process starts with the memory of its parent, and that counts. Therefore the program is started by a small process:
// this one, if the variable measures is set.
const measures = "WHENCE_TEST_MEASURES"

func init() {
	program := os.Getenv(measures)
	if program == "" {
		return
	}
	cmd := exec.Command(program, os.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stdout
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	most := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS == "darwin" { // in bytes there
		most >>= 10
	}
	fmt.Fprint(os.Stderr, most)
	os.Exit(0)
}

// again reads a text many times over, without holding it in memory.
type again struct {
	text string
	left int
}

func (a *again) Read(p []byte) (n int, err error) {
	for ; a.left > 0 && n+len(a.text) <= len(p); a.left-- {
		n += copy(p[n:], a.text)
	}
	if n == 0 && a.left == 0 {
		err = io.EOF
	}
	return n, err
}

// No event needs more than 40 MB, whatever its input.
func TestMemory(t *testing.T) {
	dir, home := ferry(t)
	program := repotest.Build(t, t.TempDir(), "whence/hooks/memory-hooks")
	for _, event := range []struct{ name, begin, filler, end string }{
		{"PostToolUse", `{"session_id":"s","tool_name":"Bash","tool_input":{"command":"make check"},"tool_response":"`, "x", `"}`},
		{"PostToolUse", `{"session_id":"s","tool_name":"Read","tool_input":{"file_path":"/a"},"tool_response":[`, `{"a":[]},`, `0]}`},
		{"UserPromptSubmit", `{"session_id":"s","prompt":"`, "retry of a payment <", `"}`},
		{"PostToolUseFailure", `{"session_id":"s","error":"`, `\u001b\n`, `"}`},
		{"Stop", `{"session_id":"s","a":`, "[", ""},
		{"Stop", "", "\x00", ""},
	} {
		for _, size := range []int{3 << 20, 64 << 20} {
			kilobytes := math.MaxInt
			for range 3 { // the least counts: on a busy machine the collector runs late
				var out, most bytes.Buffer
				cmd := exec.Command(os.Args[0], event.name)
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "WHENCE_HOME="+home, measures+"="+program)
				cmd.Stdin = io.MultiReader(strings.NewReader(event.begin), &again{event.filler, size / len(event.filler)}, strings.NewReader(event.end))
				cmd.Stdout, cmd.Stderr = &out, &most
				require.NoError(t, cmd.Run(), "%s: %s", event.name, &most)
				requireReply(t, event.name, out.String())
				var peak int
				_, err := fmt.Sscan(most.String(), &peak)
				require.NoError(t, err)
				kilobytes = min(kilobytes, peak)
			}
			t.Logf("%s of %d MB: %d MB", event.name, size>>20, kilobytes>>10)
			require.Less(t, kilobytes, 40<<10)
		}
	}
}
