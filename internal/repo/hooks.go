package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Hook is a script of this module that git runs at one event.
type Hook struct {
	Event string // as in "pre-commit"
	Mark  string // a line that only scripts of this module have
	// Command does the same in a hook that cannot be moved.
	Command string
	// Script makes the text, which holds the mark. Installed is that of this module that
	// is there already, or empty.
	Script func(installed string) string
}

// beforeDir is the folder, beside the hooks, of those that were there before. They keep
// their names, by which some know what they are to do.
const beforeDir = "before-whence"

// legacySuffix is behind the name of the hook that pre-commit has found itself, and
// looks for beside its own.
const legacySuffix = ".legacy"

// Before is where the hook lies that was there before this one, which its script is to
// run: its name, with slashes, from the folder of the hooks.
func (h Hook) Before() string { return beforeDir + "/" + h.Event }

// hooksDir is where git looks for hooks: core.hooksPath counts.
func (r *Repository) hooksDir() (string, error) {
	configured, err := r.readHooksPath("config", "--get", "core.hooksPath")
	value := strings.TrimRight(string(configured), "\r\n")
	if err == nil && (value == "" || value == os.DevNull || value == "/dev/null") {
		return "", fmt.Errorf("core.hooksPath is %q, so git runs no hooks here: unset it, or name a folder (git config --show-origin --get core.hooksPath tells where it is set)", value)
	}
	out, err := r.readHooksPath("rev-parse", "--git-path", "hooks")
	if err != nil {
		return "", err
	}
	dir := absolute(r.Root, strings.TrimRight(string(out), "\r\n"))
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return "", fmt.Errorf("git looks for hooks in %s, which is no folder: move it away, or let core.hooksPath name a folder", dir)
	}
	return dir, nil
}

// Install writes a hook and returns its path. A hook that is there already is kept, and
// its new place is the second result: the script runs it first. Installing again
// changes nothing but the script.
func (r *Repository) Install(h Hook) (path, before string, err error) {
	dir, err := r.hooksDir()
	if err != nil {
		return "", "", err
	}
	if filepath.Base(strings.TrimSuffix(dir, string(filepath.Separator)+"_")) == ".husky" {
		return "", "", fmt.Errorf("%s belongs to husky: put %q into .husky/%s instead", dir, h.Command, h.Event)
	}
	path = filepath.Join(dir, h.Event)
	installed, state, err := h.look(path)
	if err != nil {
		return "", "", err
	}
	if state == theirs {
		before = filepath.Join(dir, filepath.FromSlash(h.Before()))
		if _, err := os.Lstat(before); err == nil {
			return "", "", fmt.Errorf("%s is no hook of whence, and %s is there too: move one of them away", path, before)
		}
		if sourcesNeighbour(installed) {
			return "", "", fmt.Errorf("%s reads a file beside itself, and so cannot be moved: put %q into it instead", path, h.Command)
		}
		installed = ""
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", "", err
	}
	temp, err := os.CreateTemp(dir, h.Event+".*")
	if err != nil {
		return "", "", err
	}
	defer os.Remove(temp.Name())
	_, err = temp.WriteString(h.Script(installed))
	if err = errors.Join(err, temp.Close(), os.Chmod(temp.Name(), 0o755)); err != nil {
		return "", "", err
	}
	if state == theirs {
		if err := errors.Join(os.MkdirAll(filepath.Dir(before), 0o755), h.moveIn(path, before)); err != nil {
			return "", "", err
		}
	}
	return path, before, os.Rename(temp.Name(), path)
}

// Uninstall takes a hook away and puts the one that was there before back. Removed is
// false if there is none of this module.
func (r *Repository) Uninstall(h Hook) (path string, removed bool, err error) {
	dir, err := r.hooksDir()
	if err != nil {
		return "", false, err
	}
	path = filepath.Join(dir, h.Event)
	if _, state, err := h.look(path); err != nil || state != ours {
		return path, false, err
	}
	err = h.moveOut(filepath.Join(dir, filepath.FromSlash(h.Before())), path)
	_ = os.Remove(filepath.Join(dir, beforeDir)) // if it is empty
	return path, err == nil, err
}

// state is what there is in the place of a hook.
type state int

const (
	nothing state = iota
	ours
	theirs
)

// look reads the hook at a path. A link to nowhere is somebody's hook too.
func (h Hook) look(path string) (text string, _ state, err error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nothing, nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return "", nothing, fmt.Errorf("%s is a folder, in the place of a hook: move it away", path)
	}
	src, err := os.ReadFile(path)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", nothing, err
	case strings.Contains(string(src), h.Mark):
		return string(src), ours, nil
	}
	return string(src), theirs, nil
}

// sourcesNeighbour tells whether a script for sh reads another file by where it lies
// itself.
func sourcesNeighbour(script string) bool {
	return regexp.MustCompile(`(?m)^\s*(\.|source)\s.*\$(0|\{0)`).MatchString(script)
}

// moveIn moves a hook, and what pre-commit has beside it, into the folder of those that
// were there before.
func (h Hook) moveIn(path, before string) error {
	if _, state, err := h.look(path + legacySuffix); err == nil && state == theirs {
		if err := move(path+legacySuffix, before+legacySuffix, func(target string) string { return "../" + target }); err != nil {
			return err
		}
	}
	return move(path, before, func(target string) string { return "../" + target })
}

// moveOut takes that back; without a hook that was there before, none is left.
func (h Hook) moveOut(before, path string) error {
	up := func(target string) string { return strings.TrimPrefix(target, "../") }
	if _, err := os.Lstat(before); errors.Is(err, fs.ErrNotExist) {
		return os.Remove(path)
	}
	if err := move(before, path, up); err != nil {
		return err
	}
	if _, err := os.Lstat(path + legacySuffix); err == nil {
		return nil
	}
	err := move(before+legacySuffix, path+legacySuffix, up)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// move moves a file over another one. A link with a relative target is made anew with
// the target that leads to the same file from there.
func move(from, to string, relative func(target string) string) error {
	target, err := os.Readlink(from)
	if err != nil || filepath.IsAbs(target) {
		return os.Rename(from, to)
	}
	temp := to + ".moved"
	if err := os.Symlink(relative(target), temp); err != nil {
		return err
	}
	if err := os.Rename(temp, to); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return os.Remove(from)
}
