package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"whence/internal/shell"
	"whence/internal/worktree"
)

// Hook is a script of this module that git runs at an event.
type Hook struct {
	Event string // as in "pre-commit"
	Mark  string // a line that only scripts of this module have
	// Command is the line to put into a hook that cannot be moved.
	Command string
	// Script returns the text of the script, with the mark. installed is the text of one
	// that is already installed, or empty.
	Script func(installed string) string
}

// beforeDir is the folder, beside the hooks, of earlier hooks. They keep their names, because some
// act on their name.
const beforeDir = "before-whence"

// legacySuffix ends the name under which pre-commit keeps an earlier hook beside its own.
const legacySuffix = ".legacy"

// Before returns the name of the earlier hook, which the script must run. It has slashes and is
// relative to the folder of the hooks.
func (h Hook) Before() string { return beforeDir + "/" + h.Event }

// hooksDir returns the folder in which git looks for hooks, which core.hooksPath may name.
func (r *Repository) hooksDir() (string, error) {
	configured, err := r.readHooksPath("config", "--type=path", "--get", "core.hooksPath")
	value := strings.TrimRight(string(configured), "\r\n")
	if err == nil && (value == "" || value == os.DevNull || value == "/dev/null") {
		return "", fmt.Errorf("core.hooksPath is %q, so git runs no hooks here: unset it, or name a folder (git config --show-origin --get core.hooksPath shows where it is set)", value)
	}
	out, err := r.readHooksPath("rev-parse", "--git-path", "hooks")
	if err != nil {
		return "", err
	}
	dir := absolute(r.Root, strings.TrimRight(string(out), "\r\n"))
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return "", fmt.Errorf("git looks for hooks in %s, which is not a folder: move it away, or set core.hooksPath to a folder", dir)
	}
	return dir, nil
}

// checkOwn returns an error if other repositories may have the hooks in a folder too: it is outside of this one, or
// a setting that is not this repository's names it.
func (r *Repository) checkOwn(dir string, h Hook) error {
	configured, _ := r.readHooksPath("config", "--show-scope", "--get", "core.hooksPath")
	scope, value, _ := strings.Cut(string(configured), "\t")
	ofAll := scope != "local" && scope != "worktree" && (filepath.IsAbs(value) || strings.HasPrefix(value, "~")) // else it is a folder of each repository
	if !ofAll && r.holds(dir) {
		return nil
	}
	own := filepath.Join(r.CommonDir, "hooks")
	return fmt.Errorf("git runs the hooks in %s, which other repositories may run too: to have this one use its own instead, make sure that %s is not a link, run \"git config core.hooksPath %s\" and install again; or, to check every repository that runs them, put %q into %s",
		dir, own, shell.Word(filepath.ToSlash(own)), h.Command, filepath.Join(dir, h.Event))
}

// holds reports whether a folder, with links resolved, is in the worktree or the git directory. A linked worktree
// and the main one are one repository.
func (r *Repository) holds(dir string) bool {
	folders := []string{r.Root, r.GitDir, r.CommonDir}
	if filepath.Base(r.CommonDir) == ".git" {
		folders = append(folders, filepath.Dir(r.CommonDir))
	}
	real := worktree.Resolved(dir)
	return slices.ContainsFunc(folders, func(folder string) bool {
		_, inside := worktree.Name(worktree.Resolved(folder), real)
		return inside
	})
}

// Install writes a hook and returns its path. It moves an earlier hook to the path before, from
// which the script runs it first. Installing again changes only the script.
func (r *Repository) Install(h Hook) (path, before string, err error) {
	dir, err := r.hooksDir()
	if err != nil {
		return "", "", err
	}
	if filepath.Base(strings.TrimSuffix(dir, string(filepath.Separator)+"_")) == ".husky" {
		return "", "", fmt.Errorf("%s belongs to husky: put %q into .husky/%s instead", dir, h.Command, h.Event)
	}
	if err := r.checkOwn(dir, h); err != nil {
		return "", "", err
	}
	path = filepath.Join(dir, h.Event)
	installed, owner, err := h.look(path)
	if err != nil {
		return "", "", err
	}
	if owner == theirs {
		before = filepath.Join(dir, filepath.FromSlash(h.Before()))
		if _, err := os.Lstat(before); err == nil {
			return "", "", fmt.Errorf("%s is not a hook of whence, and %s exists too: move one of them away", path, before)
		}
		if err := h.checkMovable(path, installed); err != nil {
			return "", "", err
		}
		installed = ""
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", "", err
	}
	temp := path + ".new" // always the same: a killed process leaves one, which the next replaces
	if err := removeIfExists(temp); err != nil {
		return "", "", err
	}
	defer os.Remove(temp)
	if err := errors.Join(os.WriteFile(temp, []byte(h.Script(installed)), 0o700), os.Chmod(temp, 0o755)); err != nil {
		return "", "", err
	}
	if owner == theirs {
		if err := errors.Join(os.MkdirAll(filepath.Dir(before), 0o755), os.Rename(path, before)); err != nil {
			return "", "", err
		}
	}
	return path, before, os.Rename(temp, path)
}

// Uninstall removes a hook of this module, if there is one, and puts the earlier hook back.
func (r *Repository) Uninstall(h Hook) (path string, removed bool, err error) {
	dir, err := r.hooksDir()
	if err != nil {
		return "", false, err
	}
	path = filepath.Join(dir, h.Event)
	before := filepath.Join(dir, filepath.FromSlash(h.Before()))
	_, owner, err := h.look(path)
	if err == nil && owner != theirs {
		err = os.Rename(before, path)
	}
	if errors.Is(err, fs.ErrNotExist) { // there was no earlier hook
		err = removeIfExists(path)
	}
	_ = os.Remove(filepath.Join(dir, beforeDir)) // if it is empty
	return path, owner == ours && err == nil, err
}

func removeIfExists(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

type hookOwner int

const (
	noHook hookOwner = iota
	ours
	theirs
)

// look reads the hook at a path and returns whose it is. A broken link counts as theirs.
func (h Hook) look(path string) (text string, _ hookOwner, err error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "", noHook, nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return "", noHook, fmt.Errorf("%s is a folder, but should be a hook: move it away", path)
	}
	src, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", noHook, err
	}
	if strings.Contains(string(src), h.Mark) {
		return string(src), ours, nil
	}
	return string(src), theirs, nil
}

// checkMovable returns an error for an earlier hook that would not work in another folder: a link, or a script that
// reads a file beside itself, as that of pre-commit runs an earlier one.
func (h Hook) checkMovable(path, script string) error {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a link, and so cannot be moved: put %q into the file that it leads to instead", path, h.Command)
	}
	if _, legacy, err := h.look(path + legacySuffix); err == nil && legacy == theirs {
		return fmt.Errorf("%s may run %s, which pre-commit has put beside it: put %q into one of them, or have pre-commit run memory-validate", path, filepath.Base(path+legacySuffix), h.Command)
	}
	if regexp.MustCompile(`(?m)^\s*(\.|source)\s.*\$(0|\{0)`).MatchString(script) {
		return fmt.Errorf("%s reads a file beside itself, and so cannot be moved: put %q into it instead", path, h.Command)
	}
	return nil
}
