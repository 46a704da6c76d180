package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gofrs/flock"
)

// AppendLog adds a line to a private log; it makes the log and its folder if they are missing.
// A log that would exceed maxBytes is first renamed, with the suffix ".1". Each line is one
// write, so lines of several processes do not mix, and none is lost when several processes
// find the log full. AppendLog never waits: while another process holds the lock the log
// grows, to maxGrowth times maxBytes; then AppendLog fails.
func AppendLog(name string, line []byte, maxBytes int64) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	if isFull(name, line, maxBytes) {
		if err := rotate(name, line, maxBytes); err != nil && isFull(name, line, maxGrowth*maxBytes) {
			return err
		}
	}
	file, err := open(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY)
	if err != nil {
		return err
	}
	_, err = file.Write(line)
	return errors.Join(err, file.Close())
}

// maxGrowth bounds a log that cannot be renamed, as a multiple of its usual limit.
const maxGrowth = 8

// ReadLog returns the text of a log.
func ReadLog(name string) ([]byte, error) {
	file, err := open(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// open opens a log without waiting, and refuses anything but a regular file.
func open(name string, flag int) (*os.File, error) {
	file, err := os.OpenFile(name, flag|syscall.O_NONBLOCK|noFollow, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file: move it away", name)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

func isFull(name string, line []byte, maxBytes int64) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode().IsRegular() && info.Size()+int64(len(line)) > maxBytes
}

// rotate renames a full log, unless another process has just done so: a second rename would
// replace the full log with one of a line or two.
func rotate(name string, line []byte, maxBytes int64) error {
	lock := flock.New(name+".lock", flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDONLY|syscall.O_NONBLOCK))
	free, err := lock.TryLock()
	if err != nil {
		return err
	}
	if !free {
		return fmt.Errorf("another process holds %s", lock.Path())
	}
	defer lock.Close()
	if !isFull(name, line, maxBytes) {
		return nil
	}
	if err := os.Rename(name, name+".1"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
