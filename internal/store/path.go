package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
)

// fileName is the database within the folder.
const fileName = "memory.db"

// making is held while a file is made. Closing any descriptor of a database drops the locks that
// this process has on it (POSIX), so this one must be closed before another is opened.
var making sync.Mutex

// makeFile makes an empty database file and its folder, unless they exist. SQLite gives its other
// files the same mode.
func makeFile(name string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	making.Lock()
	defer making.Unlock()
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// makePrivate removes the permissions of all but the owner.
func makePrivate(name string) error {
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows" {
		return err
	}
	return os.Chmod(name, 0o600)
}

// minDatabaseBytes is the size of the smallest database. SQLite treats a smaller file as empty, and
// overwrites it.
const minDatabaseBytes = 512

// filePath returns the path of the database in a folder.
func filePath(dir string) (string, error) {
	name, err := filepath.Abs(filepath.Join(dir, fileName))
	if err != nil {
		return "", err
	}
	info, err := os.Stat(name)
	switch {
	case err != nil: // opening it reports the error
	case info.IsDir():
		return "", fmt.Errorf("%s is a folder, and should be a file: move it away, or set WHENCE_HOME to another folder", name)
	case info.Size() > 0 && info.Size() < minDatabaseBytes:
		return "", openError(name, ErrDamaged)
	}
	return name, nil
}
