// Package program finds the programs that whence starts, such as git, and refuses those that a repository may have put
// in their place. Agents let a repository set the PATH, so a program is run by the path that was checked. No element of
// that path is a link: later changes to links, variables or the working folder cannot make it another program. Anyone
// who can replace the file itself can already make the user run anything.
package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"whence/internal/home"
	"whence/internal/inert"
	"whence/internal/worktree"
)

// Path is the absolute path, without links, of a program that may be run.
type Path string

// Command returns a command that runs the program.
func (p Path) Command(ctx context.Context, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, string(p), args...)
}

// Search finds programs for a session.
type Search struct{ refused []place }

// NewSearch returns the search for a session that works in some folders and in the working folder of this process.
func NewSearch(folders ...string) *Search {
	if here, err := os.Getwd(); err == nil {
		folders = append(folders, here)
	}
	return &Search{placesOf(home.OfSystem(), folders)}
}

// Beside finds a program of this module in the folder of the running one, with links resolved, wherever that is: anyone
// who can put a program there could also have put the running one there.
func Beside(name string) (Path, error) {
	this, err := os.Executable()
	if err == nil {
		this, err = filepath.EvalSymlinks(this)
	}
	if err != nil {
		return "", err
	}
	path, err := exec.LookPath(filepath.Join(filepath.Dir(this), name))
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(path)
	if err == nil && (filepath.Dir(real) != filepath.Dir(this) || !isCalled(filepath.Base(real), name)) {
		err = &exec.Error{Name: name, Err: exec.ErrNotFound}
	}
	return Path(real), err
}

// RefusedError reports a program that exists but is not run.
type RefusedError struct{ Path, Reason string }

func (e *RefusedError) Error() string { return quoted(e.Path) + " is not run: " + e.Reason }

// quoted returns a path, parts of which may come from a repository, in quotes.
func quoted(path string) string { return inert.Printable(strconv.Quote(path)) }

// Program finds a program by its absolute path, or by its name in the folders of the PATH, where it skips programs that
// it refuses. The error wraps exec.ErrNotFound if there is no such program, and is a [RefusedError] for the first one
// if it refuses all.
func (s *Search) Program(name string) (Path, error) {
	_, program, err := s.find(name)
	return program, err
}

// Named finds a program as Program does, and returns the path by which it was found, which may be a link.
func (s *Search) Named(name string) (string, error) {
	path, _, err := s.find(name)
	return path, err
}

// IsFirst reports whether a shell in this folder, given the name, would run the program that Program finds.
func (s *Search) IsFirst(name string) bool {
	path, err := s.InShell(name)
	return path != "" && err == nil
}

// InShell returns the path of the program that a shell in this folder would run, given its name; "" if there is none.
// The error says why Program refuses that program.
func (s *Search) InShell(name string) (path string, err error) {
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		path, err := exec.LookPath(filepath.Join(cmp.Or(folder, "."), name))
		if err != nil && !errors.Is(err, exec.ErrDot) {
			continue
		}
		if path, err = filepath.Abs(path); err != nil {
			return "", err
		}
		if !filepath.IsAbs(folder) {
			return path, &RefusedError{path, "its folder is on the PATH by a relative path"}
		}
		_, err = s.check(path, name)
		return path, err
	}
	return "", nil
}

func (s *Search) find(name string) (path string, program Path, err error) {
	places := []string{filepath.Dir(name)}
	if filepath.Base(name) == name {
		places = filepath.SplitList(os.Getenv("PATH"))
	}
	err = &exec.Error{Name: name, Err: exec.ErrNotFound}
	isRefused := false
	for _, folder := range places {
		if !filepath.IsAbs(folder) {
			continue
		}
		path, missing := exec.LookPath(filepath.Join(folder, filepath.Base(name)))
		if missing != nil {
			continue
		}
		program, wrong := s.check(path, filepath.Base(name))
		if wrong == nil {
			return path, program, nil
		}
		if !isRefused { // the one that a shell would run
			err, isRefused = wrong, true
		}
	}
	return "", "", err
}

// check returns the program that a path leads to. It refuses one that is in a place of the session, or has another
// name.
func (s *Search) check(path, name string) (Path, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	folder := filepath.Dir(path)
	for _, at := range []string{path, worktree.Resolved(folder), real} {
		if place := s.placeOf(at); place != "" {
			return "", &RefusedError{path, fmt.Sprintf("it is in %s, where this session works, or beside it; put %s into a folder elsewhere that is on the PATH", quoted(place), name)}
		}
	}
	if !isCalled(filepath.Base(real), name) {
		return "", &RefusedError{path, fmt.Sprintf("it leads to %s, which is another program; put the folder of %s itself on the PATH", quoted(real), name)}
	}
	return Path(real), nil
}

// placeOf returns the place of the session through which a path leads; "" if there is none.
func (s *Search) placeOf(path string) string {
	for info := range foldersOf(path) {
		for _, p := range s.refused {
			if os.SameFile(info, p.info) {
				return p.path
			}
		}
	}
	return ""
}

// isCalled reports whether the name of a file is the name of a program, maybe with a version, as in git-2.47.
func isCalled(file, name string) bool {
	if runtime.GOOS == "windows" {
		file, name = strings.TrimSuffix(strings.ToLower(file), ".exe"), strings.TrimSuffix(strings.ToLower(name), ".exe")
	}
	version, found := strings.CutPrefix(file, name)
	return found && strings.Trim(version, "-.0123456789") == ""
}

// Path returns the PATH for a program that starts others: the folders that are outside the places of the session, with
// links resolved.
func (s *Search) Path() string {
	var folders []string
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		real, err := filepath.EvalSymlinks(folder)
		if err == nil && filepath.IsAbs(folder) && s.placeOf(folder) == "" && s.placeOf(real) == "" {
			folders = append(folders, real)
		}
	}
	return strings.Join(folders, string(filepath.ListSeparator))
}
