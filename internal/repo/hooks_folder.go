package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
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

// checkShared returns an error if other repositories may have the hooks of a folder too: one that all of the user's
// repositories use, or one outside of this repository.
func (r *Repository) checkShared(dir string, h Hook) error {
	configured, _ := r.readHooksPath("config", "--show-scope", "--show-origin", "--get", "core.hooksPath")
	scope, setting, isSet := strings.Cut(strings.TrimRight(string(configured), "\r\n"), "\t")
	origin, value, _ := strings.Cut(setting, "\t")
	ofAll := scope != "local" && scope != "worktree" && (filepath.IsAbs(value) || strings.HasPrefix(value, "~")) // else it is a folder of each repository
	if !ofAll && r.holds(dir) {
		return nil
	}
	place := filepath.Join(dir, h.Event)
	if !isSet {
		return fmt.Errorf("git runs the hooks in %s, which is a link to a folder outside of this repository: put a folder in its place and install again, or put %q into %s", dir, h.Command, place)
	}
	file := absolute(r.top, strings.TrimPrefix(origin, "file:"))
	if scope == "local" && !worktree.Same(file, filepath.Join(r.CommonDir, "config")) { // included, and so read last
		return fmt.Errorf("git runs the hooks in %s, which is outside of this repository, as %s says: remove core.hooksPath from it and install again; or, to check every repository that runs them, put %q into %s",
			dir, file, h.Command, place)
	}
	command := "git config core.hooksPath "
	if scope == "worktree" {
		command = "git config --worktree core.hooksPath "
	}
	return fmt.Errorf("git runs the hooks in %s, which other repositories may run too (core.hooksPath is %s): to have this one use its own instead, run \"%s\" and install again; or, to check every repository that runs them, put %q into %s",
		dir, scope, command+shell.Word(filepath.ToSlash(filepath.Join(r.CommonDir, "hooks"))), h.Command, place)
}

// holds reports whether a folder, with links resolved, is in the worktree or the git directory. A linked worktree
// and the main one are one repository.
func (r *Repository) holds(dir string) bool {
	rest := ""
	for !exists(dir, ".") && filepath.Dir(dir) != dir { // it will be made
		dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	folders := []string{r.Root, r.GitDir, r.CommonDir}
	if filepath.Base(r.CommonDir) == ".git" {
		folders = append(folders, filepath.Dir(r.CommonDir))
	}
	for _, folder := range folders {
		if folder, err := filepath.EvalSymlinks(folder); err == nil {
			rel, err := filepath.Rel(folder, filepath.Join(real, rest))
			if err == nil && filepath.IsLocal(rel) {
				return true
			}
		}
	}
	return false
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
	if err := r.checkShared(dir, h); err != nil {
		return "", "", err
	}
	path = filepath.Join(dir, h.Event)
	installed, owner, err := h.look(path)
	if err != nil {
		return "", "", err
	}
	if owner == theirs {
		before = filepath.Join(dir, filepath.FromSlash(h.Before()))
		if _, err := os.Lstat(before); err == nil && !isHalfMoved(path, before) {
			return "", "", fmt.Errorf("%s is not a hook of whence, and %s exists too: move one of them away", path, before)
		}
		if sourcesNeighbour(installed) {
			return "", "", fmt.Errorf("%s reads a file beside itself, and so cannot be moved: put %q into it instead", path, h.Command)
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
		if err := errors.Join(os.MkdirAll(filepath.Dir(before), 0o755), h.moveIn(path, before)); err != nil {
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
	if err == nil && (owner != theirs || isHalfMoved(before, path)) {
		err = moveOut(before, path)
	}
	_ = os.Remove(filepath.Join(dir, beforeDir)) // if it is empty
	return path, owner == ours && err == nil, err
}

// isHalfMoved reports whether move was killed before it removed a link that it had written anew.
func isHalfMoved(from, to string) bool {
	a, _ := os.Stat(from)
	b, err := os.Stat(to)
	return err == nil && a != nil && os.SameFile(a, b)
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

// sourcesNeighbour reports whether a shell script sources a file relative to its own path.
func sourcesNeighbour(script string) bool {
	return regexp.MustCompile(`(?m)^\s*(\.|source)\s.*\$(0|\{0)`).MatchString(script)
}

// moveIn moves a hook, and the legacy hook of pre-commit, into beforeDir.
func (h Hook) moveIn(path, before string) error {
	if _, owner, err := h.look(path + legacySuffix); err == nil && owner == theirs {
		if err := move(path+legacySuffix, before+legacySuffix, func(target string) string { return "../" + target }); err != nil {
			return err
		}
	}
	return move(path, before, func(target string) string { return "../" + target })
}

// moveOut reverses moveIn, the hook last: what was killed before can be repeated. Without an earlier
// hook it only removes the hook.
func moveOut(before, path string) error {
	up := func(target string) string { return strings.TrimPrefix(target, "../") }
	if _, err := os.Lstat(before); errors.Is(err, fs.ErrNotExist) {
		return removeIfExists(path)
	}
	if _, err := os.Lstat(path + legacySuffix); err != nil || isHalfMoved(before+legacySuffix, path+legacySuffix) {
		if err := move(before+legacySuffix, path+legacySuffix, up); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return move(before, path, up)
}

// move renames a file, and replaces the one at its new path. A relative link is written anew, so
// that it still leads to the same file.
func move(from, to string, relative func(target string) string) error {
	target, err := os.Readlink(from)
	if err != nil || filepath.IsAbs(target) {
		return os.Rename(from, to)
	}
	temp := to + ".moved"
	if err := removeIfExists(temp); err != nil {
		return err
	}
	if err := os.Symlink(relative(target), temp); err != nil {
		return err
	}
	if err := os.Rename(temp, to); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return os.Remove(from)
}
