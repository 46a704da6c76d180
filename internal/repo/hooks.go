package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Hook is a script of this module that git runs at one event.
type Hook struct {
	Event  string // as in "pre-commit"
	Mark   string // a line that only scripts of this module have
	Script string // holds the mark
}

// beforeSuffix is behind the name of a hook that was there before.
const beforeSuffix = ".before-whence"

// hooksDir is where git looks for hooks: core.hooksPath counts.
func (r *Repository) hooksDir() (string, error) {
	out, err := r.git(nil, "rev-parse", "--git-path", "hooks")
	if err != nil {
		return "", err
	}
	return absolute(r.Root, strings.TrimRight(string(out), "\r\n")), nil
}

// Before is the name of the hook that was there before this one, which its script is to
// run, behind the script's own name.
func (h Hook) Before() string { return h.Event + beforeSuffix }

// Install writes a hook and returns its path. A hook that is there already is kept
// beside it, and named in the result: the script runs it first. Installing again
// changes nothing but the script.
func (r *Repository) Install(h Hook) (path, before string, err error) {
	dir, err := r.hooksDir()
	if err != nil {
		return "", "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", "", err
	}
	path = filepath.Join(dir, h.Event)
	ours, err := h.holds(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", "", err
	case !ours:
		before = filepath.Join(dir, h.Before())
		if _, err := os.Lstat(before); err == nil {
			return "", "", fmt.Errorf("%s is no hook of whence, and %s is there too: move one of them away", path, before)
		}
		if err := os.Rename(path, before); err != nil {
			return "", "", err
		}
	}
	temp, err := os.CreateTemp(dir, h.Event+".*")
	if err != nil {
		return "", "", err
	}
	defer os.Remove(temp.Name())
	_, err = temp.WriteString(h.Script)
	if err = errors.Join(err, temp.Close(), os.Chmod(temp.Name(), 0o755)); err != nil {
		return "", "", err
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
	ours, err := h.holds(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !ours {
		return path, false, nil
	}
	if err != nil {
		return path, false, err
	}
	err = os.Rename(filepath.Join(dir, h.Before()), path)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.Remove(path)
	}
	return path, err == nil, err
}

// holds tells whether the hook at a path is one of this module.
func (h Hook) holds(path string) (bool, error) {
	text, err := os.ReadFile(path)
	return err == nil && strings.Contains(string(text), h.Mark), err
}
