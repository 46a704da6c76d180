// Package home finds the folder in which whence stores the data of one user: learnings, the
// states of agent sessions, the log of its hooks.
//
// Agents let a repository set environment variables, so a variable alone does not decide where
// that folder is: see [Dir].
package home

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"whence/internal/text"
	"whence/internal/worktree"
)

// Expand replaces a leading ~ in a path with the user's home folder. It returns any other path,
// including ~name/, unchanged.
func Expand(path string, getenv func(string) string) string {
	rest, found := strings.CutPrefix(path, "~")
	if !found || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path
	}
	home := UserFolder(getenv)
	if home == "" {
		return path
	}
	return filepath.Join(home, rest)
}

// UserFolder returns the user's home folder: the one that the environment names, else that of the
// system's user database; "" if there is none.
func UserFolder(getenv func(string) string) string {
	home := getenv("HOME")
	if home == "" && runtime.GOOS == "windows" {
		home = getenv("USERPROFILE")
	}
	if home == "" {
		return systemHome()
	}
	return home
}

// Dir returns the folder of the user's data: ~/.local/share/whence, where ~ is the home folder that
// the system's user database names; on Windows %LocalAppData%\whence.
//
// WHENCE_HOME, XDG_DATA_HOME or another HOME may name a folder instead. It counts only once a
// command that the user has typed has used it ([Claim]), if its path is absolute and leads into no
// work tree, and if it belongs to the user. A folder that does not count is an error that says what
// to type: nothing is stored elsewhere instead.
func Dir(getenv func(string) string) (string, error) {
	p, err := find(getenv)
	if err != nil {
		return "", err
	}
	if p.variable != "" && !isClaimed(p.dir) {
		return "", &UnclaimedError{p.variable, p.dir}
	}
	return p.dir, nil
}

// UnclaimedError reports a folder that a variable names, and that no command which the user typed
// has used.
type UnclaimedError struct{ Variable, Dir string }

func (e *UnclaimedError) Error() string {
	return fmt.Sprintf("%s names %s for what whence stores, and no command that you typed has used that folder yet: type memory-remember list in a terminal", e.Variable, shown(e.Dir))
}

// Claim is [Dir] for a command that the user has typed, which makes the folder theirs.
func Claim(getenv func(string) string) (string, error) {
	p, err := find(getenv)
	if err != nil {
		return "", err
	}
	if p.variable != "" && !isClaimed(p.dir) {
		if err := claim(p.dir); err != nil {
			return "", fmt.Errorf("%s names %s: %w", p.variable, shown(p.dir), err)
		}
	}
	return p.dir, nil
}

// Place returns the folder that [Claim] would make, or [Dir] returns.
func Place(getenv func(string) string) (string, error) {
	p, err := find(getenv)
	return p.dir, err
}

// shown returns a folder as messages repeat it: a repository may have written it.
func shown(dir string) string { return text.Quoted(dir) }

// place is a folder for the user's data.
type place struct {
	dir      string
	variable string // of the environment, that names it; "": the user's own
}

// find returns the folder that the environment selects, whether or not it is claimed.
func find(getenv func(string) string) (place, error) {
	p := named(getenv)
	own := ownFolder()
	if p.dir == "" {
		p = place{dir: own}
	}
	if p.dir == "" {
		return place{}, errors.New("there is no home folder to keep learnings in: set WHENCE_HOME to a folder")
	}
	if !filepath.IsAbs(p.dir) {
		return place{}, fmt.Errorf("%s names %s, which is relative: name the folder from the root", p.variable, shown(p.dir))
	}
	p.dir = filepath.Clean(p.dir)
	if p.dir == own {
		p.variable = ""
	}
	if p.variable == "" {
		return p, nil
	}
	if workTree(p.dir) != "" {
		return place{}, fmt.Errorf("%s names %s, which is in a work tree: name a folder outside of any repository", p.variable, shown(p.dir))
	}
	return p, nil
}

// named returns the folder that variables name.
func named(getenv func(string) string) place {
	if dir := getenv("WHENCE_HOME"); dir != "" {
		return place{dir, "WHENCE_HOME"}
	}
	if dir := getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) { // the XDG specification says to ignore relative paths
		return place{filepath.Join(dir, "whence"), "XDG_DATA_HOME"}
	}
	if dir := getenv("LocalAppData"); runtime.GOOS == "windows" && dir != "" {
		return place{filepath.Join(dir, "whence"), "LocalAppData"}
	}
	if dir := getenv("HOME"); dir != "" {
		return place{filepath.Join(dir, filepath.FromSlash(below)), "HOME"}
	}
	return place{}
}

// below is the path of the folder in the user's home.
const below = ".local/share/whence"

// systemHome returns the home folder that the system's user database names, whatever the environment
// says; "" if it does not know the user. An event asks several times.
var systemHome = sync.OnceValue(findSystemHome)

// ownFolder returns the folder that the system's user database leads to; "" if it knows none.
func ownFolder() string {
	home := systemHome()
	switch {
	case home == "":
		return ""
	case runtime.GOOS == "windows":
		return filepath.Join(home, "AppData", "Local", "whence")
	}
	return filepath.Join(home, filepath.FromSlash(below))
}

// workTree returns the work tree that holds a folder, which need not exist, or the folder that it
// leads to by links; "" if there is none.
func workTree(dir string) string {
	for at := worktree.Resolved(dir); ; at = filepath.Dir(at) {
		if worktree.IsRoot(at) {
			return at
		}
		if filepath.Dir(at) == at {
			return ""
		}
	}
}
