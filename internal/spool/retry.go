package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Retry puts the jobs back that were given up, as if they had never been tried, and
// returns how many. The next drain does them, in the place that they had.
func Retry(dir string) (n int, err error) {
	for _, folder := range []string{failedDir(dir), dir} { // where there was no place for them they have stayed
		jobs, fault := list(folder)
		if fault != nil && !errors.Is(fault, fs.ErrNotExist) {
			err = errors.Join(err, fault)
		}
		for _, job := range jobs {
			if folder == dir && !job.givenUp() {
				continue
			}
			from := filepath.Join(folder, job.String())
			if fault := os.Rename(from, filepath.Join(dir, job.identity().String())); fault != nil {
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
