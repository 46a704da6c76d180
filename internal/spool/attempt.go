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

// Limits for the attempts at a job.
const (
	MaxFailures = 5  // times that it has failed
	MaxBegun    = 20 // times that it has been begun, finished or not
)

// try tries one job. An error ends the drain.
func (d *drain) try(ctx context.Context, lock *flock.Flock, n name) error {
	if n.givenUp() {
		d.note(d.giveUp(n, fmt.Errorf("it has been begun %d times and has failed %d times", n.begun, n.failed)))
		return nil
	}
	// Counted first: the job may kill the worker.
	n, err := d.rename(n, func(n *name) { n.begun++ })
	if errors.Is(err, fs.ErrNotExist) { // replaced: next will find the new one
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
	case errors.Is(err, ErrNewer):
		_, fault := d.rename(n, func(n *name) { n.begun-- })
		d.fail(n, errors.Join(err, fault))
		return nil
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

// attempt calls do, and waits for it at most grace longer than the context.
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

// giveUp moves a job to the folder failed, with the reason, and returns that as an error. If
// that folder is full the job stays, and is not tried again.
func (d *drain) giveUp(n name, reason error) error {
	gaveUp := fmt.Errorf("job %s is given up: %w", n.key(), reason)
	folder := failedDir(d.dir)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return errors.Join(gaveUp, err)
	}
	failed, err := list(folder)
	if err != nil {
		return errors.Join(gaveUp, err)
	}
	if l := loadOf(failed); !l.fits(n.size, maxFailed, maxFailedBytes) {
		return errors.Join(gaveUp, fmt.Errorf("it stays, as %s is full, with %d jobs", folder, l.jobs))
	}
	to := filepath.Join(folder, n.String())
	const maxReasonChars = 2000
	text := strings.ToValidUTF8(fmt.Sprintf("%.*s\n", maxReasonChars, reason.Error()), "")
	return errors.Join(gaveUp,
		os.WriteFile(reasonOf(to), []byte(text), 0o600),
		os.Rename(filepath.Join(d.dir, n.String()), to))
}
