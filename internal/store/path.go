package store

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// fileName is the database within the folder.
const fileName = "memory.db"

// Dir is the folder of the store, from the environment.
func Dir(getenv func(string) string) (string, error) {
	if dir := getenv("WHENCE_HOME"); dir != "" {
		return filepath.Abs(dir)
	}
	if dir := getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) { // others are to be ignored, says the XDG specification
		return filepath.Join(dir, "whence"), nil
	}
	if dir := getenv("LocalAppData"); runtime.GOOS == "windows" && dir != "" {
		return filepath.Join(dir, "whence"), nil
	}
	home := getenv("HOME")
	if home == "" && runtime.GOOS == "windows" {
		home = getenv("USERPROFILE")
	}
	if home == "" {
		return "", errors.New("there is no home folder to keep learnings in: set WHENCE_HOME to a folder")
	}
	return filepath.Join(home, ".local", "share", "whence"), nil
}

// makeFile makes the folder and an empty database file in it, unless they exist.
// SQLite gives its other files the mode of this one.
func makeFile(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	name := filepath.Join(dir, fileName)
	file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return "", err
	}
	info, err := file.Stat()
	if err == nil && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		err = file.Chmod(0o600)
	}
	return name, errors.Join(err, file.Close())
}
