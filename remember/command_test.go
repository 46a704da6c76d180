package remember_test

import (
	"flag"
	"os"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"whence/hooks"
	"whence/internal/cli"
	"whence/internal/test/repotest"
	"whence/remember"
	"whence/remember/embedding"
	"whence/remember/mcp"
	"whence/validate"
	"whence/when"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"memory-remember": func() {
			if len(os.Args) > 2 && os.Args[1] == "capture" && os.Args[2] == "--quiet" {
				return // what an event has started would outlive its test, which runs the command itself
			}
			os.Exit(program(cli.OS().Within(time.Minute)))
		},
		"memory-validate": func() { os.Exit(validate.Main(cli.OS().Within(time.Minute))) },
		"memory-when":     func() { os.Exit(when.Main(cli.OS().Within(time.Minute))) },
		"memory-hooks":    func() { os.Exit(hooks.Main(cli.OS().Within(time.Minute))) },
	})
}

// program is memory-remember.
func program(env cli.Env) int {
	return remember.Main(env, remember.Parts{Serve: mcp.Serve, Embed: embedding.Vectors})
}

var update = flag.Bool("update", false, "write the expected output of scripts and documents anew")

// TestScripts runs the program as its users do.
func TestScripts(t *testing.T) {
	params := repotest.Scripts(t)
	params.UpdateScripts = *update
	testscript.Run(t, params)
}
