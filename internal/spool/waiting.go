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

// Status is what lies in a spool.
type Status struct {
	Waiting int       // jobs that are still to be done
	Bytes   int64     // of these
	Oldest  time.Time // when the first of these was added
	Tried   int       // how many of these have been begun and not done
	Failed  int       // jobs that are given up
	Reason  string    // why the last of these was
}

// Waiting tells what lies in the spool in a folder. One that is not there is empty.
func Waiting(dir string) (Status, error) {
	var s Status
	jobs, err := list(dir)
	if err == nil {
		for _, n := range jobs {
			if n.givenUp() { // there was no place for it in the folder of these
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
		return Status{}, fmt.Errorf("look into the spool %s: %w", dir, err)
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
