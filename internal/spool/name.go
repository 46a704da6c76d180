package spool

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// name is what the name of a job's file tells, so that nobody has to open the file for it.
type name struct {
	at      int64  // nanoseconds since 1970; the order of jobs
	session uint32 // a hash of the session, 0 if it has none
	random  uint64 // nobody else's
	size    int64  // bytes of the job
	sum     uint32 // checksum of the job
	begun   int    // how often a worker has begun it
	failed  int    // and how often it has failed
}

// identity is the job, however often it has been tried.
func (n name) identity() name {
	n.begun, n.failed = 0, 0
	return n
}

// key is what stays the same in the name of a job. Keys sort by time.
func (n name) key() string {
	return fmt.Sprintf("%019d-%08x-%016x-%07d-%08x", n.at, n.session, n.random, n.size, n.sum)
}

func (n name) String() string { return fmt.Sprintf("%s.%02d.%d", n.key(), n.begun, n.failed) }

// parse reads the name of a file; not ok if it is not that of a job.
func parse(file string) (n name, ok bool) {
	const shape = "0000000000000000000-00000000-0000000000000000-0000000-00000000.00.0"
	if len(file) != len(shape) {
		return name{}, false
	}
	for i := range len(file) {
		digit := '0' <= file[i] && file[i] <= '9' || 'a' <= file[i] && file[i] <= 'f'
		if digit != (shape[i] == '0') || !digit && file[i] != shape[i] {
			return name{}, false
		}
	}
	number := func(from, to, base int) uint64 {
		value, err := strconv.ParseUint(file[from:to], base, 64)
		ok = ok && err == nil
		return value
	}
	ok = true
	n = name{
		at:      int64(number(0, 19, 10)),
		session: uint32(number(20, 28, 16)),
		random:  number(29, 45, 16),
		size:    int64(number(46, 53, 10)),
		sum:     uint32(number(54, 62, 16)),
		begun:   int(number(63, 65, 10)),
		failed:  int(number(66, 67, 10)),
	}
	return n, ok && n.at >= 0
}

// arrived is when the job was added.
func (n name) arrived() time.Time { return time.Unix(0, n.at) }

// givenUp tells whether the job is not to be tried again.
func (n name) givenUp() bool { return n.failed >= MaxFailures || n.begun >= MaxBegun }

// holds tells whether the job's text is what was added.
func (n name) holds(job []byte) bool {
	return int64(len(job)) == n.size && crc32.ChecksumIEEE(job) == n.sum
}

// hashSession is the hash of a session's id, 0 for none.
func hashSession(session string) uint32 {
	if session == "" {
		return 0
	}
	return max(1, crc32.ChecksumIEEE([]byte(session)))
}

// fileNames are the names of all files in a folder, in no order.
func fileNames(dir string) ([]string, error) {
	folder, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe would block
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return folder.Readdirnames(-1)
}

// list reads which jobs lie in a folder, in order. Files of others are passed over.
func list(dir string) ([]name, error) {
	files, err := fileNames(dir)
	if err != nil {
		return nil, err
	}
	jobs := jobsOf(files)
	slices.SortFunc(jobs, name.compare)
	return jobs, nil
}

// listInOrder is list without gaps: of two jobs of which one was added after the other, the
// later never stands in it alone. While a folder is read, a file that comes may be left out
// and one that comes later not; but whatever was there before the later one came is found
// by who reads the folder again.
func listInOrder(dir string) ([]name, error) {
	first, err := list(dir)
	if err != nil || len(first) == 0 {
		return first, err
	}
	jobs, err := list(dir)
	last := first[len(first)-1]
	return slices.DeleteFunc(jobs, func(n name) bool { return n.compare(last) > 0 }), err
}

// compare orders jobs by when they were added.
func (n name) compare(other name) int {
	return cmp.Or(cmp.Compare(n.at, other.at), cmp.Compare(n.random, other.random))
}

// jobsOf are the jobs among files.
func jobsOf(files []string) []name {
	jobs := make([]name, 0, len(files))
	for _, file := range files {
		if n, ok := parse(file); ok {
			jobs = append(jobs, n)
		}
	}
	return jobs
}

// load is how much lies in a folder.
type load struct {
	jobs  int
	bytes int64
}

func loadOf(jobs []name) (l load) {
	for _, n := range jobs {
		l.jobs++
		l.bytes += n.size
	}
	return l
}

// takes tells whether a job of a size fits below limits.
func (l load) takes(size int64, maxJobs int, maxBytes int64) bool {
	return l.jobs < maxJobs && l.bytes+size <= maxBytes
}

// tempPrefix begins the names of files that are being written.
const tempPrefix = ".new-"

func isTemp(file string) bool { return strings.HasPrefix(file, tempPrefix) }

// lockName is the file that the worker holds.
func lockName(dir string) string { return filepath.Join(dir, ".lock") }

// failedDir is where jobs go that cannot be done.
func failedDir(dir string) string { return filepath.Join(dir, "failed") }

// reasonOf is the file that says why a job could not be done.
func reasonOf(job string) string { return job + ".error" }
