package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"whence/internal/program"
)

// StartDetached starts a program in a folder, with the environment of the function environment, and returns once it
// runs. The child outlives this process: it has its own session (on Windows no console and its own process group). Its
// standard streams are the null device, so that no reader of the parent's output waits for it. A process that lives on
// must call wait in a goroutine, to leave no zombie.
func StartDetached(dir string, program program.Path, args ...string) (wait func(), err error) {
	cmd := program.Command(context.Background(), args...)
	cmd.Dir, cmd.Env, cmd.SysProcAttr = dir, environment(), detached()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s in %s: %w", program, dir, err)
	}
	return func() { _ = cmd.Wait() }, nil
}

// environment returns the environment of a detached process: that of this process without the variables for git,
// proxies and certificates. A repository may have set them, since agents let it.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		name = strings.ToUpper(name)
		return strings.HasPrefix(name, "GIT_") || strings.HasSuffix(name, "_PROXY") || strings.HasPrefix(name, "SSL_CERT_")
	})
}
