package migrate_test

import (
	"flag"
	"os"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"whence/internal/cli"
	"whence/internal/test/repotest"
	"whence/migrate"
	"whence/validate"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"memory-migrate":  func() { os.Exit(migrate.Main(cli.OS().Within(time.Minute))) },
		"memory-validate": func() { os.Exit(validate.Main(cli.OS().Within(time.Minute))) },
	})
}

var update = flag.Bool("update", false, "write the expected files of scripts anew")

// TestScripts runs the program as its users do.
func TestScripts(t *testing.T) {
	params := repotest.Scripts(t)
	params.UpdateScripts = *update
	testscript.Run(t, params)
}
