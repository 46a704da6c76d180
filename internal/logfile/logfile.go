// Package logfile keeps logs of many processes within bounds.
package logfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Append adds a line to a log, which is made with its folder where it is missing, private.
// A log that would be longer than so many bytes becomes the older one, whose name has ".1"
// at its end, and a new one is begun. Each line is one write, so that those of several
// processes do not mix, and no line is lost when several find the log full.
func Append(name string, line []byte, longest int64) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	if isFull(name, line, longest) {
		if err := begin(name, line, longest); err != nil {
			return err
		}
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(line)
	return errors.Join(err, file.Close())
}

func isFull(name string, line []byte, longest int64) bool {
	info, err := os.Stat(name)
	return err == nil && info.Size()+int64(len(line)) > longest
}

// begin makes a full log the older one, unless another process has just done so: that
// would make the new one, with a line or two, replace the older one.
func begin(name string, line []byte, longest int64) error {
	lock := flock.New(name+".lock", flock.SetPermissions(0o600))
	if err := lock.Lock(); err != nil {
		return err
	}
	defer lock.Close()
	if !isFull(name, line, longest) {
		return nil
	}
	if err := os.Rename(name, name+".1"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
