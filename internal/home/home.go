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

	"whence/internal/inert"
	"whence/internal/worktree"
)

// Dir returns the folder of the user's data: ~/.local/share/whence, where ~ is the home folder that
// the system's user database names; on Windows %LocalAppData%\whence.
//
// WHENCE_HOME, XDG_DATA_HOME or another HOME may name a different folder. That folder is accepted if its path
// is absolute and not in a work tree, if it belongs to the user, and once a command that the user typed has
// used it ([Claim]). Otherwise Dir returns an error that says what to do; it does not fall back to the default.
func Dir(getenv func(string) string) (string, error) {
	dir, variable, err := Place(getenv)
	if err == nil && variable != "" && !isClaimed(dir) {
		return "", &UnclaimedError{variable, dir}
	}
	return dir, err
}

// UnclaimedError reports a folder that a variable names but that no command typed by the user has used yet.
type UnclaimedError struct{ Variable, Dir string }

func (e *UnclaimedError) Error() string {
	return fmt.Sprintf("%s names %s for what whence stores, and no command that you typed has used that folder yet: type memory-remember list in a terminal", e.Variable, inert.Quoted(e.Dir))
}

// Claim is [Dir] for a command that the user has typed: it marks the folder as chosen by the user, and creates it
// if a variable names it and it is missing.
func Claim(getenv func(string) string) (string, error) {
	dir, variable, err := Place(getenv)
	if err != nil || variable == "" || isClaimed(dir) {
		return dir, err
	}
	if err := claim(dir); err != nil {
		return "", fmt.Errorf("%s names %s: %w", variable, inert.Quoted(dir), err)
	}
	return dir, nil
}

// Place returns the folder that [Claim] would return, and the variable that names it; "" for the default folder.
// Errors quote the folder, since a repository may have set the variable.
func Place(getenv func(string) string) (dir, variable string, err error) {
	own := systemHome()
	if own != "" {
		own = dataFolder(own)
	}
	dir, variable = named(getenv)
	if dir == "" {
		dir = own
	}
	if dir == "" {
		return "", "", errors.New("there is no home folder to keep learnings in: set WHENCE_HOME to a folder")
	}
	if !filepath.IsAbs(dir) {
		return "", "", fmt.Errorf("%s names %s, which is relative: name the folder from the root", variable, inert.Quoted(dir))
	}
	dir = filepath.Clean(dir)
	if dir == own {
		return dir, "", nil
	}
	if len(worktree.TreesAround(dir)) > 0 {
		return "", "", fmt.Errorf("%s names %s, which is in a work tree: name a folder outside of any repository", variable, inert.Quoted(dir))
	}
	return dir, variable, nil
}

// named returns the folder that the environment names, and the variable that does; "" and "" if none does.
func named(getenv func(string) string) (dir, variable string) {
	if dir := getenv("WHENCE_HOME"); dir != "" {
		return dir, "WHENCE_HOME"
	}
	if dir := getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) { // the XDG specification says to ignore relative paths
		return filepath.Join(dir, "whence"), "XDG_DATA_HOME"
	}
	if dir := getenv("HOME"); dir != "" && runtime.GOOS != "windows" {
		return dataFolder(dir), "HOME"
	}
	return "", ""
}

// dataFolder returns the data folder of a user by their home folder.
func dataFolder(home string) string {
	if runtime.GOOS == "windows" {
		return filepath.Join(home, "AppData", "Local", "whence")
	}
	return filepath.Join(home, ".local", "share", "whence")
}

// OfSystem returns the home folder that the system's user database names, whatever the environment says; "" if
// it does not know the user. It looks only once per process.
func OfSystem() string { return systemHome() }

var systemHome = sync.OnceValue(findSystemHome)

// UserFolder returns the user's home folder: the one that the environment names, else that of the
// system's user database; "" if there is none.
func UserFolder(getenv func(string) string) string {
	if home := getenv("HOME"); home != "" {
		return home
	}
	if home := getenv("USERPROFILE"); home != "" && runtime.GOOS == "windows" {
		return home
	}
	return systemHome()
}

// Expand replaces a leading ~ in a path with the user's home folder. It returns any other path,
// including ~name/, unchanged.
func Expand(path string, getenv func(string) string) string {
	rest, found := strings.CutPrefix(path, "~")
	home := UserFolder(getenv)
	if !found || rest != "" && !os.IsPathSeparator(rest[0]) || home == "" {
		return path
	}
	return filepath.Join(home, rest)
}

// marker returns the name and the text of the file "claimed", which marks a folder as chosen by the user. The
// text identifies the folder, so that a marker copied from elsewhere, such as an archive, is not valid. A folder
// that belongs to another user is an error.
func marker(dir string) (name, text string, err error) {
	info, err := os.Stat(dir)
	if err != nil {
		return "", "", err
	}
	if !info.IsDir() {
		return "", "", errors.New("it is not a folder")
	}
	number, own := identify(info)
	if !own {
		return "", "", errors.New("it belongs to someone else: name a folder of your own")
	}
	return filepath.Join(dir, "claimed"), fmt.Sprintf("%s\n%d\n", dir, number), nil
}

func isClaimed(dir string) bool {
	name, want, err := marker(dir)
	if err != nil {
		return false
	}
	src, err := os.ReadFile(name)
	return err == nil && string(src) == want
}

// claim creates a folder, if it is missing, and writes its marker.
func claim(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	name, text, err := marker(dir)
	if err != nil {
		return err
	}
	return worktree.WritePrivate(name, []byte(text))
}
