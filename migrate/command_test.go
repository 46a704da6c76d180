package migrate_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"whence/internal/cli"
	"whence/internal/repotest"
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
			for _, variable := range []string{
				"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@b.c", "GIT_CONFIG_NOSYSTEM=1",
				"GORACE=atexit_sleep_ms=0", // with -race each run would sleep a second at its end
			} {
				name, value, _ := strings.Cut(variable, "=")
				env.Setenv(name, value)
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": repotest.Status},
	})
}
