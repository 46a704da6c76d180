package spool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// grace is how long a drain waits for a job that goes on after the end of its context.
const grace = 5 * time.Second

// staleAfter is the age at which a temporary file is certainly abandoned.
const staleAfter = 10 * time.Minute

// maxErrors is the number of job errors that a drain returns; it counts the others.
const maxErrors = 5

// Errors of Drain.
var (
	ErrBusy  = errors.New("another worker is at work")
	ErrStuck = errors.New("a job goes on after its time")
)

// ErrNotNow is wrapped by do if no job at all can be done at present. The drain ends, and the
// attempt does not count.
var ErrNotNow = errors.New("not now")

// ErrRefused is wrapped by do if a job can never be done. The job is moved to the folder
// failed immediately, and does not hold back its session.
var ErrRefused = errors.New("refused")

// ErrNewer is wrapped by do if a newer version has added a job. The job stays as it was, and holds
// back its session.
var ErrNewer = errors.New("a newer version has added it: update whence")

// errTorn is returned for a job whose file is damaged, as by a loss of power.
var errTorn = errors.New("its text is not what was added")

// Drain tries each job of a spool once, one at a time, and returns the number that are done.
// A job is done if do returns no error; its key is the same at each attempt. A panic of do
// is an error of that job.
//
// If another worker is running, Drain returns ErrBusy, and the caller is done. The end of
// the context or ErrNotNow ends the drain; neither is a failure of the current job, but only
// ErrNotNow also takes back that it was begun. do must return when the context ends. If it
// does not, Drain returns ErrStuck, and no other drain begins until do has returned or this
// process has ended.
func Drain(ctx context.Context, dir string, do func(key string, job []byte) error) (done int, err error) {
	d := drain{dir: dir, do: do, tried: map[name]bool{}, held: map[uint32]bool{}}
	for first := true; ; first = false {
		lock := newLock(dir)
		free, err := lock.TryLock()
		switch {
		case errors.Is(err, fs.ErrNotExist): // nothing has ever been added
			return d.done, d.result(nil)
		case err != nil:
			return d.done, d.result(err)
		case !free && first:
			return 0, ErrBusy
		case !free: // another worker does the new jobs
			return d.done, d.result(nil)
		}
		if first {
			d.note(removeStale(dir))
		}
		err = d.drainOnce(ctx, lock)
		if errors.Is(err, ErrStuck) {
			return d.done, d.result(err) // keep the lock
		}
		if err = errors.Join(err, lock.Close()); err != nil {
			return d.done, d.result(err)
		}
		// A process that found the lock taken after it added a job relies on this.
		next, err := d.next()
		if err != nil || len(next) == 0 {
			return d.done, d.result(err)
		}
	}
}

// drain is one call of Drain.
type drain struct {
	dir      string
	do       func(key string, job []byte) error
	tried    map[name]bool   // by name without counts
	held     map[uint32]bool // sessions of which a job has failed
	done     int
	errs     []error
	moreErrs int // errors that are not in errs
}

// note records an error that does not end the drain.
func (d *drain) note(err error) {
	switch {
	case err == nil:
	case len(d.errs) < maxErrors:
		d.errs = append(d.errs, err)
	default:
		d.moreErrs++
	}
}

// result joins all errors.
func (d *drain) result(last error) error {
	errs := d.errs
	if d.moreErrs > 0 {
		errs = append(errs, fmt.Errorf("%d more errors", d.moreErrs))
	}
	if err := errors.Join(append(errs, last)...); err != nil {
		return fmt.Errorf("drain the spool %s: %w", d.dir, err)
	}
	return nil
}

// next returns the jobs to try, in order.
func (d *drain) next() (next []name, err error) {
	jobs, err := listInOrder(d.dir)
	for _, n := range jobs {
		if !d.tried[n.withoutCounts()] && !d.held[n.session] {
			next = append(next, n)
		}
	}
	return next, err
}

// drainOnce tries jobs until none is left to try. An error ends the drain.
func (d *drain) drainOnce(ctx context.Context, lock *flock.Flock) error {
	for {
		next, err := d.next()
		if err != nil || len(next) == 0 {
			return err
		}
		for _, n := range next {
			if d.held[n.session] { // since next
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			d.tried[n.withoutCounts()] = true
			if err := d.try(ctx, lock, n); err != nil {
				return err
			}
		}
	}
}

// rename changes the counts in a job's name.
func (d *drain) rename(n name, change func(*name)) (name, error) {
	changed := n
	change(&changed)
	if err := os.Rename(filepath.Join(d.dir, n.String()), filepath.Join(d.dir, changed.String())); err != nil {
		return n, err
	}
	return changed, nil
}

// read reads a job, and returns errTorn if it is not what was added.
func (d *drain) read(n name) ([]byte, error) {
	file := filepath.Join(d.dir, n.String())
	info, err := os.Lstat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() != n.size {
		return nil, errTorn
	}
	job, err := os.ReadFile(file)
	if err == nil && !n.holds(job) {
		err = errTorn
	}
	return job, err
}

// Limits of the folder failed.
const (
	maxFailed      = MaxJobs / 10
	maxFailedBytes = MaxBytes / 10
)

// removeStale removes the temporary files of processes that were killed while adding a job.
func removeStale(dir string) error {
	files, err := fileNames(dir)
	for _, file := range files {
		if !isTemp(file) {
			continue
		}
		file = filepath.Join(dir, file)
		if info, gone := os.Lstat(file); gone == nil && time.Since(info.ModTime()) > staleAfter {
			if fault := os.Remove(file); !errors.Is(fault, fs.ErrNotExist) {
				err = errors.Join(err, fault)
			}
		}
	}
	return err
}
