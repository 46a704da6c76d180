package validate_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"whence/internal/cli"
	"whence/internal/test/repotest"
	"whence/validate"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"memory-validate": func() { os.Exit(validate.Main(cli.OS().Within(time.Minute))) },
	})
}

// TestScripts runs the program as its users do.
func TestScripts(t *testing.T) {
	params := repotest.Scripts(t)
	params.UpdateScripts = *update
	params.Condition = func(cond string) (bool, error) {
		if cond == "root" {
			return os.Getuid() == 0, nil
		}
		return false, fmt.Errorf("unknown condition %q", cond)
	}
	testscript.Run(t, params)
}
