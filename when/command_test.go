package when_test

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"whence/internal/test/repotest"
	"whence/when"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"memory-when": func() { os.Exit(when.Main(repotest.OS())) },
	})
}

// TestScripts runs the program as its users do.
func TestScripts(t *testing.T) {
	testscript.Run(t, repotest.Scripts(t))
}
