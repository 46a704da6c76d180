package when_test

import (
	"os"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"whence/internal/cli"
	"whence/internal/test/repotest"
	"whence/when"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"memory-when": func() { os.Exit(when.Main(cli.OS().Within(time.Minute))) },
	})
}

// TestScripts runs the program as its users do.
func TestScripts(t *testing.T) {
	testscript.Run(t, repotest.Scripts(t))
}
