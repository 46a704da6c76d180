package hooks

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"whence/internal/cli"
)

// validateName is the program that installs git's own hook and merges for git.
const validateName = "memory-validate"

// validateProgram returns where memory-validate is: beside this program, or else on the PATH.
func validateProgram() (string, error) {
	if own, _ := os.Executable(); own != "" {
		beside := filepath.Join(filepath.Dir(own), validateName+filepath.Ext(own))
		if _, missing := os.Stat(beside); missing == nil {
			return beside, nil
		}
	}
	return exec.LookPath(validateName)
}

// gitProgram is the memory-validate that --git needs.
func gitProgram() (string, error) {
	path, err := validateProgram()
	if err != nil {
		return "", fmt.Errorf("--git needs %s, which is neither beside this program nor on the PATH: install it (go install ./validate/%[1]s)", validateName)
	}
	return path, nil
}

// verifyGit makes sure that git's own hook can be installed or uninstalled.
func (o *registerOptions) verifyGit(env cli.Env) error {
	if _, err := gitProgram(); err != nil {
		return err
	}
	if dir := project(env, o.dir); !underGit(dir) {
		return fmt.Errorf("--git needs a git repository, and %s is not in one: run git init there first, or leave out --git", dir)
	}
	return nil
}

// gitHook has memory-validate install or uninstall git's own hook.
func (o *registerOptions) gitHook(env cli.Env, command string) error {
	path, err := gitProgram()
	if err != nil {
		return err
	}
	dir := project(env, o.dir)
	if o.dryRun || o.diff {
		fmt.Fprintf(env.Stderr, "%s: would run %s %s --repo %s\n", programName, path, command, dir)
		return nil
	}
	cmd := exec.Command(path, command, "--repo", dir)
	cmd.Dir, cmd.Stdout, cmd.Stderr = env.Dir, env.Stdout, env.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", validateName, command, err)
	}
	return nil
}
