package validate_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"whence/internal/cli"
	"whence/validate"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"memory-validate": func() { os.Exit(validate.Main(cli.OS())) },
	})
}

// TestScripts runs the program as its users do. The first word of a script's name
// is its topic.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Getuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
}

// status runs memory-validate and requires an exit status, and that no more than
// one line is said on stderr: status N [argument...].
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: status N [argument...]")
	}
	err := ts.Exec("memory-validate", args[1:]...)
	got := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if fmt.Sprint(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
	if stderr := ts.ReadFile("stderr"); strings.Count(stderr, "\n") > 1 {
		ts.Fatalf("more than one line on stderr")
	}
}
