package hooks

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"whence/internal/cli"
)

// gitHook has memory-validate install or uninstall git's own hook: the program beside this
// one, or else on the PATH.
func (o *registerOptions) gitHook(env cli.Env, command string) error {
	const name = "memory-validate"
	path, err := exec.LookPath(name)
	if own, _ := os.Executable(); own != "" {
		beside := filepath.Join(filepath.Dir(own), name+filepath.Ext(own))
		if _, missing := os.Stat(beside); missing == nil {
			path, err = beside, nil
		}
	}
	if err != nil {
		return fmt.Errorf("%s is neither beside this program nor on the PATH, and --git needs it: install it (go install ./validate/%[1]s)", name)
	}
	dir := project(env, o.dir)
	if o.dryRun || o.diff {
		fmt.Fprintf(env.Stderr, "%s: would run %s %s --repo %s\n", programName, path, command, dir)
		return nil
	}
	cmd := exec.Command(path, command, "--repo", dir)
	cmd.Dir, cmd.Stdout, cmd.Stderr = env.Dir, env.Stdout, env.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, command, err)
	}
	return nil
}
