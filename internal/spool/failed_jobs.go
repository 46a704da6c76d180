package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// RequeueFailed puts the jobs that were given up back into the spool, at their old place in the
// order, as if they had never been tried, and returns their number.
func RequeueFailed(dir string) (n int, err error) {
	for _, folder := range []string{failedDir(dir), dir} { // some stayed in dir, as failed was full
		jobs, fault := list(folder)
		if fault != nil && !errors.Is(fault, fs.ErrNotExist) {
			err = errors.Join(err, fault)
		}
		for _, job := range jobs {
			if folder == dir && !job.givenUp() {
				continue
			}
			from := filepath.Join(folder, job.String())
			if fault := os.Rename(from, filepath.Join(dir, job.withoutCounts().String())); fault != nil {
				err = errors.Join(err, fault)
				continue
			}
			n++
			if fault := os.Remove(reasonOf(from)); fault != nil && !errors.Is(fault, fs.ErrNotExist) {
				err = errors.Join(err, fault)
			}
		}
	}
	if err != nil {
		return n, fmt.Errorf("put failed jobs of the spool %s back: %w", dir, err)
	}
	return n, nil
}
