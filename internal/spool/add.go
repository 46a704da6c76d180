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

// Limits; see the package.
const (
	LongestJob = 1 << 20
	MaxJobs    = 10_000
	MaxBytes   = 256 << 20
)

// ErrFull is returned if a spool takes no more.
var ErrFull = errors.New("the spool is full")

// Add puts a job into the spool in a folder, which is made where it is missing. The job is
// done after all that were added before, by any process; session, which may be empty, says
// what it must not overtake even if one fails. If Add returns no error, the job stays until
// it has been done, whatever happens to any process; a loss of power may take it.
func Add(dir, session string, job []byte) error {
	_, err := Put(dir, session, job)
	return err
}

// AddSynced is Add for a job that survives a loss of power as well. It waits for the disk.
func AddSynced(dir, session string, job []byte) error {
	_, err := put(dir, session, job, true)
	return err
}

// Put is Add. The id it returns is for Replace.
func Put(dir, session string, job []byte) (id string, err error) {
	return put(dir, session, job, false)
}

// Replace puts another text in the place of a job that no worker has begun. If one has, the
// job stays as it was. A process that is killed in between leaves both.
func Replace(dir, id string, job []byte) error {
	old, ok := parse(id)
	if !ok {
		return fmt.Errorf("replace a job of the spool %s: %q names none", dir, id)
	}
	if err := checkLength(dir, job); err != nil {
		return err
	}
	n := nameOf(old.at, old.session, job)
	if err := write(dir, n, job, false); err != nil {
		return fmt.Errorf("replace a job of the spool %s: %w", dir, err)
	}
	err := os.Remove(filepath.Join(dir, id))
	if errors.Is(err, fs.ErrNotExist) { // a worker has it, and does what it says
		err = os.Remove(filepath.Join(dir, n.String()))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	return err
}

func checkLength(dir string, job []byte) error {
	if len(job) > LongestJob {
		return fmt.Errorf("a job of %d bytes is too long for the spool %s: at most %d", len(job), dir, LongestJob)
	}
	return nil
}

func put(dir, session string, job []byte, synced bool) (id string, err error) {
	if err := checkLength(dir, job); err != nil {
		return "", err
	}
	id, err = add(dir, session, job, synced)
	if errors.Is(err, fs.ErrNotExist) { // it is the first one
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
	if l := loadOf(jobs); !l.takes(int64(len(job)), MaxJobs, MaxBytes) {
		return "", fmt.Errorf("%w: %d jobs of %d bytes wait in it: its worker does not run, or fails", ErrFull, l.jobs, l.bytes)
	}
	at := time.Now().UnixNano()
	for _, n := range jobs { // a clock may be put back
		at = max(at, n.at+1)
	}
	n := nameOf(at, hashSession(session), job)
	return n.String(), write(dir, n, job, synced)
}

// nameOf returns the name of a new job.
func nameOf(at int64, session uint32, job []byte) name {
	return name{at: at, session: session, random: rand.Uint64(), size: int64(len(job)), sum: crc32.ChecksumIEEE(job)}
}

// write writes the private file of a job whole or not at all.
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

// syncFolder waits until the names of the files in a folder are on the disk. Windows has no
// such call, and needs none.
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
