package spool

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
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
// what it must not overtake even if one fails. If Add returns no error, the job stays
// until it has been done.
func Add(dir, session string, job []byte) error {
	if len(job) > LongestJob {
		return fmt.Errorf("a job of %d bytes is too long for the spool %s: at most %d", len(job), dir, LongestJob)
	}
	err := add(dir, session, job)
	if errors.Is(err, fs.ErrNotExist) { // it is the first one
		if err = os.MkdirAll(dir, 0o700); err == nil {
			err = add(dir, session, job)
		}
	}
	if err != nil {
		return fmt.Errorf("add a job to the spool %s: %w", dir, err)
	}
	return nil
}

func add(dir, session string, job []byte) error {
	files, err := fileNames(dir)
	if err != nil {
		return err
	}
	jobs := jobsOf(files)
	size := int64(len(job))
	if l := loadOf(jobs); !l.takes(size, MaxJobs, MaxBytes) {
		return fmt.Errorf("%w: %d jobs of %d bytes wait in it: its worker does not run, or fails", ErrFull, l.jobs, l.bytes)
	}
	at := time.Now().UnixNano()
	for _, n := range jobs { // a clock may be put back
		at = max(at, n.at+1)
	}
	n := name{at: at, session: hashSession(session), random: rand.Uint64(), size: size, sum: crc32.ChecksumIEEE(job)}
	temp := filepath.Join(dir, tempPrefix+n.key())
	if err := write(temp, job); err != nil {
		return err
	}
	if err := os.Rename(temp, filepath.Join(dir, n.String())); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}

// write writes a new private file whole or not at all.
func write(file string, text []byte) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(file))
	}
	return nil
}
