package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Status describes the jobs in a spool.
type Status struct {
	Waiting int       // number of jobs to do
	Bytes   int64     // their size
	Oldest  time.Time // when the first of them was added
	Tried   int       // number of them that have been begun
	Failed  int       // number of jobs that were given up
	Reason  string    // why the last of these was given up
}

// StatusOf returns the status of the spool in a folder; a missing one is empty.
func StatusOf(dir string) (Status, error) {
	var s Status
	jobs, err := list(dir)
	if err == nil {
		for _, n := range jobs {
			if n.givenUp() { // the folder failed was full
				s.Failed++
				continue
			}
			if s.Waiting == 0 {
				s.Oldest = n.arrived()
			}
			s.Waiting++
			s.Bytes += n.size
			if n.begun > 0 {
				s.Tried++
			}
		}
		jobs, err = list(failedDir(dir))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Status{}, fmt.Errorf("read the spool %s: %w", dir, err)
	}
	if err != nil || len(jobs) == 0 {
		return s, nil
	}
	s.Failed += len(jobs)
	last := filepath.Join(failedDir(dir), jobs[len(jobs)-1].String())
	if reason, err := os.ReadFile(reasonOf(last)); err == nil {
		s.Reason = strings.TrimSpace(string(reason))
	}
	return s, nil
}
