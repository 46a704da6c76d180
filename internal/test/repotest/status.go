package repotest

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// Status is a command of test scripts: "status N program [argument...]" runs a
// program and requires an exit status, and of a mistake or failure (3 or 4) that it
// is one line on standard error, with nothing on standard output.
func Status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N program [argument...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if fmt.Sprint(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
	if got == 3 || got == 4 {
		if stdout, stderr := ts.ReadFile("stdout"), ts.ReadFile("stderr"); stdout != "" || strings.Count(stderr, "\n") != 1 {
			ts.Fatalf("an error is one line on stderr and nothing on stdout")
		}
	}
}
