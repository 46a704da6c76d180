package migrate_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"whence/internal/cli"
	"whence/migrate"
	"whence/validate"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"memory-migrate":  func() { os.Exit(migrate.Main(cli.OS())) },
		"memory-validate": func() { os.Exit(validate.Main(cli.OS())) },
	})
}

var update = flag.Bool("update", false, "write the expected files of scripts anew")

// TestScripts runs the program as its users do. The first word of a script's name
// is its topic.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			for _, variable := range []string{"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@b.c", "GIT_CONFIG_NOSYSTEM=1"} {
				name, value, _ := strings.Cut(variable, "=")
				env.Setenv(name, value)
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
}

// status runs a program and requires an exit status, and that an error (3 or 4) is
// one line on stderr with nothing on stdout: status N program [argument...].
func status(ts *testscript.TestScript, neg bool, args []string) {
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
	if got == cli.Usage || got == cli.Failed {
		if stdout, stderr := ts.ReadFile("stdout"), ts.ReadFile("stderr"); stdout != "" || strings.Count(stderr, "\n") != 1 {
			ts.Fatalf("an error is one line on stderr and nothing on stdout")
		}
	}
}
