// Package home finds the folder in which whence stores the data of one user: learnings, the
// states of agent sessions, the log of its hooks.
package home

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
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

// UserFolder returns the user's home folder; "" if the environment names none.
func UserFolder(getenv func(string) string) string {
	home := getenv("HOME")
	if home == "" && runtime.GOOS == "windows" {
		home = getenv("USERPROFILE")
	}
	return home
}

// Dir returns the folder that the environment selects: $WHENCE_HOME, else $XDG_DATA_HOME/whence, else
// ~/.local/share/whence; on Windows %LocalAppData%\whence before the last.
func Dir(getenv func(string) string) (string, error) {
	if dir := getenv("WHENCE_HOME"); dir != "" {
		return filepath.Abs(dir)
	}
	if dir := getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) { // the XDG specification says to ignore relative paths
		return filepath.Join(dir, "whence"), nil
	}
	if dir := getenv("LocalAppData"); runtime.GOOS == "windows" && dir != "" {
		return filepath.Join(dir, "whence"), nil
	}
	home := UserFolder(getenv)
	if home == "" {
		return "", errors.New("there is no home folder to keep learnings in: set WHENCE_HOME to a folder")
	}
	return filepath.Join(home, ".local", "share", "whence"), nil
}
