package spool

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// Limits of a spool.
const (
	MaxJobBytes = 1 << 20
	MaxJobs     = 10_000
	MaxBytes    = 256 << 20
)

// ErrFull is returned for a job that would exceed the limits of a spool.
var ErrFull = errors.New("the spool is full")

// Add adds a job to the spool in a folder, which it creates if it is missing. The job is done
// after all jobs added before, by any process. It never overtakes a job of its session, if
// that is not empty, even a failed one. If Add returns no error, the job stays until it has
// been done, whatever happens to any process; only a loss of power may lose it.
func Add(dir, session string, job []byte) error {
	_, err := put(dir, session, job, false)
	return err
}

// AddSynced is Add, and waits for the disk: the job survives a loss of power as well.
func AddSynced(dir, session string, job []byte) error {
	_, err := put(dir, session, job, true)
	return err
}

// AddReplaceable is Add, and returns an id for Replace.
func AddReplaceable(dir, session string, job []byte) (id string, err error) {
	return put(dir, session, job, false)
}

// Replace replaces the text of a job, unless a worker has begun it. A process that is killed
// while it replaces a job leaves both.
func Replace(dir, id string, job []byte) error {
	old, ok := parse(id)
	if !ok {
		return fmt.Errorf("replace a job of the spool %s: %q is not the id of a job", dir, id)
	}
	if err := checkLength(dir, job); err != nil {
		return err
	}
	n := newName(old.at, old.session, job)
	if err := write(dir, n, job, false); err != nil {
		return fmt.Errorf("replace a job of the spool %s: %w", dir, err)
	}
	err := os.Remove(filepath.Join(dir, id))
	if errors.Is(err, fs.ErrNotExist) { // a worker has begun it
		err = os.Remove(filepath.Join(dir, n.String()))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	return err
}

func checkLength(dir string, job []byte) error {
	if len(job) > MaxJobBytes {
		return fmt.Errorf("a job of %d bytes is too long for the spool %s: at most %d", len(job), dir, MaxJobBytes)
	}
	return nil
}

func put(dir, session string, job []byte, synced bool) (id string, err error) {
	if err := checkLength(dir, job); err != nil {
		return "", err
	}
	id, err = add(dir, session, job, synced)
	if errors.Is(err, fs.ErrNotExist) { // the first job
		if err = os.MkdirAll(dir, 0o700); err == nil {
			id, err = add(dir, session, job, synced)
		}
		if err == nil && synced {
			err = syncFolder(filepath.Dir(dir))
		}
	}
	if err != nil {
		return "", fmt.Errorf("add a job to the spool %s: %w", dir, err)
	}
	return id, nil
}

func add(dir, session string, job []byte, synced bool) (id string, err error) {
	files, err := fileNames(dir)
	if err != nil {
		return "", err
	}
	jobs := jobsOf(files)
	if l := loadOf(jobs); !l.fits(int64(len(job)), MaxJobs, MaxBytes) {
		return "", fmt.Errorf("%w: %d jobs of %d bytes are waiting: its worker does not run, or fails", ErrFull, l.jobs, l.bytes)
	}
	at := time.Now().UnixNano()
	for _, n := range jobs { // clocks may be set back
		at = max(at, n.at+1)
	}
	n := newName(at, hashSession(session), job)
	return n.String(), write(dir, n, job, synced)
}

// newName returns the name of a new job.
func newName(at int64, session uint32, job []byte) name {
	return name{at: at, session: session, random: rand.Uint64(), size: int64(len(job)), sum: crc32.ChecksumIEEE(job)}
}

// write writes the private file of a job, whole or not at all.
func write(dir string, n name, job []byte, synced bool) error {
	temp := filepath.Join(dir, tempPrefix+n.key())
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(job)
	if err == nil && synced {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(temp, filepath.Join(dir, n.String()))
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	if synced {
		return syncFolder(dir)
	}
	return nil
}

// syncFolder waits until the names of files in a folder are on the disk. Windows needs no
// such call.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
