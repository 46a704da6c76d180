package hooks

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"whence/internal/cli"
	"whence/internal/worktree"
)

// validateName is the program that installs git's own hook and merges for git.
const validateName = "memory-validate"

// verifyGit makes sure that git's own hook can be installed or uninstalled.
func (o *registerOptions) verifyGit() error {
	if o.validate = cli.Program(validateName); o.validate == "" {
		return fmt.Errorf("--git needs %s, which is neither beside this program nor on the PATH: install it (go install ./validate/%[1]s)", validateName)
	}
	if dir := project(o.env, o.dir); !underGit(dir) {
		return fmt.Errorf("--git needs a git repository, and %s is not in one: run git init there first, or leave out --git", dir)
	}
	return nil
}

// runGitHook has memory-validate install or uninstall git's own hook.
func (o *registerOptions) runGitHook(command string) error {
	dir := project(o.env, o.dir)
	if o.writesNothing() {
		fmt.Fprintf(o.env.Stderr, "%s: would run %s %s --repo %s\n", programName, o.validate, command, dir)
		return nil
	}
	cmd := exec.Command(o.validate, command, "--repo", dir)
	cmd.Dir, cmd.Stdout, cmd.Stderr = o.env.Dir, o.env.Stdout, o.env.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", validateName, command, err)
	}
	return nil
}

// underGit reports whether a folder lies in a repository.
func underGit(dir string) bool {
	_, err := os.Lstat(filepath.Join(worktree.Find(dir, ".git"), ".git"))
	return err == nil
}
