package spool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"whence/internal/parallel"
)

// How often a job is tried.
const (
	MaxFailures = 5  // times that it has failed
	MaxBegun    = 20 // times that it has been begun, with or without an end
)

// grace is how long a drain waits for a job that goes on after the end of its context.
const grace = 5 * time.Second

// staleAfter is the age at which a file that is being written is surely nobody's any more.
const staleAfter = 10 * time.Minute

// mostErrors is how many errors of jobs a drain returns; the others it counts.
const mostErrors = 5

// Errors of Drain.
var (
	ErrBusy  = errors.New("another worker is at work")
	ErrStuck = errors.New("a job goes on after its time")
)

// ErrNotNow is what do wraps where no job can be done at present, whichever it is. The drain
// ends, and the job is as it was: it has neither been begun nor failed.
var ErrNotNow = errors.New("not now")

// ErrRefused is what do wraps where a job cannot be done, however often it is tried. It is
// put aside at once, and holds back none of its session.
var ErrRefused = errors.New("refused")

// errTorn is what a job has failed with whose file was not wholly on the disk.
var errTorn = errors.New("its text is not what was added")

// Drain does the jobs of a spool, one at a time, until none is left that it has not tried,
// and returns how many are done. A job is done when do returns no error; its key is the
// same at each try. A panic of do is an error of that job.
//
// If another worker is at work, the error is ErrBusy, and nothing need be done. The end of
// the context ends the drain, and so does ErrNotNow; that is no failure of the job that do
// was at, which has to return by the end of the context: it has been begun all the same,
// unless do returns ErrNotNow. If it does not return the error is ErrStuck, and no other drain
// begins until do has returned or this process has ended.
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
		case !free: // it does what has come
			return d.done, d.result(nil)
		}
		if first {
			d.note(removeStale(dir))
		}
		err = d.pass(ctx, lock)
		if errors.Is(err, ErrStuck) {
			return d.done, d.result(err) // with the lock
		}
		if err = errors.Join(err, lock.Close()); err != nil {
			return d.done, d.result(err)
		}
		// Whoever has added a job, and found the lock taken, relies on this look.
		next, err := d.next()
		if err != nil || len(next) == 0 {
			return d.done, d.result(err)
		}
	}
}

// drain is one call of Drain.
type drain struct {
	dir    string
	do     func(key string, job []byte) error
	tried  map[name]bool   // by identity
	held   map[uint32]bool // sessions of which a job has failed
	done   int
	errs   []error
	passed int // errors that are not in errs
}

// note keeps an error that ends nothing.
func (d *drain) note(err error) {
	switch {
	case err == nil:
	case len(d.errs) < mostErrors:
		d.errs = append(d.errs, err)
	default:
		d.passed++
	}
}

// result is all that went wrong.
func (d *drain) result(last error) error {
	errs := d.errs
	if d.passed > 0 {
		errs = append(errs, fmt.Errorf("%d more errors", d.passed))
	}
	if err := errors.Join(append(errs, last)...); err != nil {
		return fmt.Errorf("drain the spool %s: %w", d.dir, err)
	}
	return nil
}

// next are the jobs that are still to be tried, in order.
func (d *drain) next() (next []name, err error) {
	jobs, err := listInOrder(d.dir)
	for _, n := range jobs {
		if !d.tried[n.identity()] && !d.held[n.session] {
			next = append(next, n)
		}
	}
	return next, err
}

// pass tries jobs until there is none to be tried. It returns an error that ends the drain.
func (d *drain) pass(ctx context.Context, lock *flock.Flock) error {
	for {
		next, err := d.next()
		if err != nil || len(next) == 0 {
			return err
		}
		for _, n := range next {
			if d.held[n.session] { // since a moment ago
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			d.tried[n.identity()] = true
			if err := d.try(ctx, lock, n); err != nil {
				return err
			}
		}
	}
}

// try does one job. It returns an error that ends the drain.
func (d *drain) try(ctx context.Context, lock *flock.Flock, n name) error {
	if n.givenUp() {
		d.note(d.giveUp(n, fmt.Errorf("it has been begun %d times and has failed %d times", n.begun, n.failed)))
		return nil
	}
	// Counted before it is done: a job may be the end of the worker.
	n, err := d.rename(n, func(n *name) { n.begun++ })
	if errors.Is(err, fs.ErrNotExist) { // it was replaced: the other one is found by the next look
		return nil
	}
	if err != nil {
		d.fail(n, err)
		return nil
	}
	job, err := d.read(n)
	if errors.Is(err, errTorn) {
		d.note(d.giveUp(n, err))
		return nil
	}
	if err == nil {
		err = d.attempt(ctx, lock, n.key(), job)
	}
	switch {
	case err == nil:
		d.done++
		d.note(os.Remove(filepath.Join(d.dir, n.String())))
		return nil
	case errors.Is(err, ErrStuck):
		return err
	case errors.Is(err, ErrNotNow):
		_, fault := d.rename(n, func(n *name) { n.begun-- })
		return errors.Join(err, fault)
	case ctx.Err() != nil:
		return ctx.Err()
	}
	n, fault := d.rename(n, func(n *name) { n.failed++ })
	refused := errors.Is(err, ErrRefused)
	if err = errors.Join(err, fault); n.givenUp() || refused && fault == nil {
		d.note(d.giveUp(n, err))
		return nil
	}
	d.fail(n, err)
	return nil
}

// fail notes that a job has failed and will be tried again.
func (d *drain) fail(n name, err error) {
	d.note(fmt.Errorf("job %s: %w", n.key(), err))
	if n.session != 0 {
		d.held[n.session] = true
	}
}

// rename changes what is counted in a job's name.
func (d *drain) rename(n name, change func(*name)) (name, error) {
	changed := n
	change(&changed)
	if err := os.Rename(filepath.Join(d.dir, n.String()), filepath.Join(d.dir, changed.String())); err != nil {
		return n, err
	}
	return changed, nil
}

// read reads a job, and makes sure that it is what was added.
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

// attempt calls do, and waits for it not much longer than the context lasts.
func (d *drain) attempt(ctx context.Context, lock *flock.Flock, key string, job []byte) error {
	ended := make(chan error, 1)
	go func() {
		err := errors.New("it has ended its goroutine")
		defer func() {
			if p := recover(); p != nil {
				err = parallel.Recovered(p)
			}
			ended <- err
		}()
		err = d.do(key, job)
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	patience := time.NewTimer(grace)
	defer patience.Stop()
	select {
	case err := <-ended:
		return err
	case <-patience.C:
		go func() {
			<-ended
			_ = lock.Close()
		}()
		return fmt.Errorf("job %s: %w", key, ErrStuck)
	}
}

// Of the jobs that cannot be done so many are put aside.
const (
	maxFailed      = MaxJobs / 10
	maxFailedBytes = MaxBytes / 10
)

// giveUp puts a job aside that cannot be done, with the reason, and returns that as an
// error. One that has no place there stays where it is, and is not tried again.
func (d *drain) giveUp(n name, reason error) error {
	gave := fmt.Errorf("job %s is given up: %w", n.key(), reason)
	aside := failedDir(d.dir)
	if err := os.MkdirAll(aside, 0o700); err != nil {
		return errors.Join(gave, err)
	}
	failed, err := list(aside)
	if err != nil {
		return errors.Join(gave, err)
	}
	if l := loadOf(failed); !l.takes(n.size, maxFailed, maxFailedBytes) {
		return errors.Join(gave, fmt.Errorf("%s is full, with %d jobs: it stays", aside, l.jobs))
	}
	to := filepath.Join(aside, n.String())
	const longest = 2000
	text := strings.ToValidUTF8(fmt.Sprintf("%.*s\n", longest, reason.Error()), "")
	return errors.Join(gave,
		os.WriteFile(reasonOf(to), []byte(text), 0o600),
		os.Rename(filepath.Join(d.dir, n.String()), to))
}

// removeStale takes away what processes have left that were killed while they added a job.
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
