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

// name is the parsed name of a job's file.
type name struct {
	at      int64  // nanoseconds since 1970; the order of jobs
	session uint32 // a hash of the session, 0 if it has none
	random  uint64 // keeps names apart
	size    int64  // bytes of the job
	sum     uint32 // checksum of the job
	begun   int    // number of times that a worker has begun it
	failed  int    // number of times that it has failed
}

// withoutCounts returns what stays the same at each attempt.
func (n name) withoutCounts() name {
	n.begun, n.failed = 0, 0
	return n
}

// key returns the part of the name that stays the same at each attempt. Keys sort by time.
func (n name) key() string {
	return fmt.Sprintf("%019d-%08x-%016x-%07d-%08x", n.at, n.session, n.random, n.size, n.sum)
}

func (n name) String() string { return fmt.Sprintf("%s.%02d.%d", n.key(), n.begun, n.failed) }

// parse parses the name of a file; not ok if it is not that of a job.
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

// arrived returns the time at which the job was added.
func (n name) arrived() time.Time { return time.Unix(0, n.at) }

// givenUp reports whether the job must not be tried again.
func (n name) givenUp() bool { return n.failed >= MaxFailures || n.begun >= MaxBegun }

// holds reports whether a text is the one that was added.
func (n name) holds(job []byte) bool {
	return int64(len(job)) == n.size && crc32.ChecksumIEEE(job) == n.sum
}

// hashSession returns the hash of a session's id, 0 for an empty one.
func hashSession(session string) uint32 {
	if session == "" {
		return 0
	}
	return max(1, crc32.ChecksumIEEE([]byte(session)))
}

// fileNames returns the names of all files in a folder, in no order.
func fileNames(dir string) ([]string, error) {
	folder, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe would block
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return folder.Readdirnames(-1)
}

// list returns the jobs in a folder, in order. It skips other files.
func list(dir string) ([]name, error) {
	files, err := fileNames(dir)
	if err != nil {
		return nil, err
	}
	jobs := jobsOf(files)
	slices.SortFunc(jobs, name.compare)
	return jobs, nil
}

// listInOrder is list without gaps: no job is in it without all earlier ones. A file that is
// added while a folder is read may be missing and a later one not, so the folder is read
// again: all jobs that are earlier than one of the first reading are in the second.
func listInOrder(dir string) ([]name, error) {
	first, err := list(dir)
	if err != nil || len(first) == 0 {
		return first, err
	}
	jobs, err := list(dir)
	last := first[len(first)-1]
	return slices.DeleteFunc(jobs, func(n name) bool { return n.compare(last) > 0 }), err
}

// compare orders jobs by the time at which they were added.
func (n name) compare(other name) int {
	return cmp.Or(cmp.Compare(n.at, other.at), cmp.Compare(n.random, other.random))
}

// jobsOf returns the jobs among files.
func jobsOf(files []string) []name {
	jobs := make([]name, 0, len(files))
	for _, file := range files {
		if n, ok := parse(file); ok {
			jobs = append(jobs, n)
		}
	}
	return jobs
}

// load is the number and size of the jobs in a folder.
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

// fits reports whether a job of a size may be added within limits.
func (l load) fits(size int64, maxJobs int, maxBytes int64) bool {
	return l.jobs < maxJobs && l.bytes+size <= maxBytes
}

// tempPrefix begins the names of files that are being written.
const tempPrefix = ".new-"

func isTemp(file string) bool { return strings.HasPrefix(file, tempPrefix) }

// lockName returns the file that a running worker has locked.
func lockName(dir string) string { return filepath.Join(dir, ".lock") }

// failedDir returns the folder for jobs that are given up.
func failedDir(dir string) string { return filepath.Join(dir, "failed") }

// reasonOf returns the file with the reason why a job was given up.
func reasonOf(job string) string { return job + ".error" }
