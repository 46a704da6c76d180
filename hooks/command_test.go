package hooks_test

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"whence/hooks"
	"whence/internal/cli"
	"whence/internal/store"
	"whence/internal/test/repotest"
	"whence/migrate"
	"whence/remember"
	"whence/remember/mcp"
	"whence/validate"
	"whence/when"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"memory-hooks":    func() { os.Exit(hooks.Main(cli.OS())) },
		"memory-validate": func() { os.Exit(validate.Main(cli.OS())) },
		"memory-migrate":  func() { os.Exit(migrate.Main(cli.OS())) },
		"memory-when":     func() { os.Exit(when.Main(cli.OS())) },
		"memory-remember": func() { os.Exit(remember.Main(cli.OS(), mcp.Serve, store.Servers{})) },
	})
}

// TestScripts runs the program as agents do.
func TestScripts(t *testing.T) { testscript.Run(t, repotest.Scripts(t)) }
