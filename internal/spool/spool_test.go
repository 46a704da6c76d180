package spool_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/spool"
)

// none returns a spool that does not exist yet.
func none(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "store", "spool")
}

// filled returns a spool with jobs without a session.
func filled(t *testing.T, jobs ...string) string {
	t.Helper()
	dir := none(t)
	for _, job := range jobs {
		require.NoError(t, spool.Add(dir, "", []byte(job)))
	}
	return dir
}

// drain drains a spool and returns the jobs that were tried, in order.
func drain(dir string, do func(job string) error) (tried []string, done int, err error) {
	done, err = spool.Drain(context.Background(), dir, func(_ string, job []byte) error {
		tried = append(tried, string(job))
		return do(string(job))
	})
	return tried, done, err
}

func succeed(string) error { return nil }

// failing fails at jobs that begin with "bad".
func failing(job string) error {
	if strings.HasPrefix(job, "bad") {
		return errors.New("cannot do " + job)
	}
	return nil
}

// requireDone requires that a drain does exactly these jobs, in this order.
func requireDone(t *testing.T, dir string, want ...string) {
	t.Helper()
	tried, done, err := drain(dir, succeed)
	require.NoError(t, err)
	require.Equal(t, want, tried)
	require.Equal(t, len(want), done)
	require.Empty(t, jobFiles(t, dir))
}

func requireStatus(t *testing.T, dir string, waiting, tried, failed int) spool.Status {
	t.Helper()
	s, err := spool.StatusOf(dir)
	require.NoError(t, err)
	require.Equal(t, []int{waiting, tried, failed}, []int{s.Waiting, s.Tried, s.Failed}, "waiting, tried, failed")
	return s
}

// jobFiles returns the names of the files of jobs, sorted.
func jobFiles(t *testing.T, dir string) (files []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && e.Name() != "failed" {
			files = append(files, e.Name())
		}
	}
	return files
}

// at returns the name of a job's file with another time.
func at(file string, nanoseconds int64) string {
	return fmt.Sprintf("%019d%s", nanoseconds, file[strings.IndexByte(file, '-'):])
}

// count returns the name of a job's file with other counts.
func count(file string, begun, failed int) string {
	key, _, _ := strings.Cut(file, ".")
	return fmt.Sprintf("%s.%02d.%d", key, begun, failed)
}

func TestJobsAreDoneInOrder(t *testing.T) {
	dir := none(t)
	var want []string
	start := time.Now().Add(-time.Millisecond)
	for i := range 300 {
		job := fmt.Sprint("job ", i, "\x00\xff\n")
		require.NoError(t, spool.Add(dir, fmt.Sprint(i%3), []byte(job)))
		want = append(want, job)
	}
	require.NoError(t, spool.Add(dir, "", nil)) // an empty job is allowed
	s := requireStatus(t, dir, 301, 0, 0)
	require.WithinRange(t, s.Oldest, start, time.Now())
	require.EqualValues(t, len(strings.Join(want, "")), s.Bytes)
	requireDone(t, dir, append(want, "")...)
	requireStatus(t, dir, 0, 0, 0)
	requireDone(t, dir)
}

// One job is further in the future than any clock that is corrected.
func TestOrderDoesNotDependOnTheClock(t *testing.T) {
	dir := filled(t, "first")
	first := jobFiles(t, dir)[0]
	future := time.Now().Add(1000 * time.Hour).UnixNano()
	require.NoError(t, os.Rename(filepath.Join(dir, first), filepath.Join(dir, at(first, future))))
	require.NoError(t, spool.Add(dir, "", []byte("second")))
	require.NoError(t, spool.Add(dir, "", []byte("third")))
	requireDone(t, dir, "first", "second", "third")
}

func TestNoSpoolIsAnEmptyOne(t *testing.T) {
	dir := none(t)
	requireStatus(t, dir, 0, 0, 0)
	tried, done, err := drain(dir, succeed)
	require.NoError(t, err)
	require.Empty(t, tried)
	require.Zero(t, done)
	n, err := spool.RequeueFailed(dir)
	require.NoError(t, err)
	require.Zero(t, n)
	require.NoError(t, spool.Start(dir, "no program"))
	require.NoDirExists(t, dir)
}

func TestFilesArePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	dir := filled(t, "bad")
	for range spool.MaxFailures {
		_, _, err := drain(dir, failing)
		require.Error(t, err)
	}
	require.NoError(t, spool.Add(dir, "", []byte("good")))
	seen := 0
	require.NoError(t, filepath.WalkDir(filepath.Dir(dir), func(_ string, e fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := e.Info()
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, e.Name())
		seen++
		return nil
	}))
	require.Equal(t, 7, seen) // three folders, the lock, two jobs, a reason
}

func TestLimits(t *testing.T) {
	largest := bytes.Repeat([]byte("x"), spool.MaxJobBytes)
	for _, c := range []struct {
		name      string
		job       []byte
		mostFiles int
	}{
		{"jobs", []byte("x"), spool.MaxJobs},
		{"bytes", largest, spool.MaxBytes / spool.MaxJobBytes},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := none(t)
			require.NoError(t, spool.Add(dir, "", c.job))
			one := jobFiles(t, dir)[0]
			for i := range c.mostFiles - 2 { // Add only counts names
				require.NoError(t, os.WriteFile(filepath.Join(dir, at(one, int64(i))), nil, 0o600))
			}
			require.NoError(t, spool.Add(dir, "", c.job))
			before := jobFiles(t, dir)
			require.Len(t, before, c.mostFiles)
			require.ErrorIs(t, spool.Add(dir, "", c.job), spool.ErrFull)
			require.Equal(t, before, jobFiles(t, dir))
			require.NoError(t, os.Remove(filepath.Join(dir, before[0])))
			require.NoError(t, spool.Add(dir, "", c.job))
		})
	}
	dir := none(t)
	require.ErrorContains(t, spool.Add(dir, "", append(largest, 'x')), "too long")
	require.NoDirExists(t, dir)
}

func TestAFailedJobIsTriedAgain(t *testing.T) {
	dir := filled(t, "one", "bad", "two")
	for n := 1; n < spool.MaxFailures; n++ {
		tried, _, err := drain(dir, failing)
		require.ErrorContains(t, err, "cannot do bad")
		if n == 1 {
			require.Equal(t, []string{"one", "bad", "two"}, tried)
		} else {
			require.Equal(t, []string{"bad"}, tried)
		}
		requireStatus(t, dir, 1, 1, 0)
	}
	requireDone(t, dir, "bad")
}

func TestAJobThatFailsTooOftenIsKept(t *testing.T) {
	dir := filled(t, "bad one", "bad two")
	for range spool.MaxFailures {
		tried, done, err := drain(dir, failing)
		require.ErrorContains(t, err, "cannot do bad one")
		require.ErrorContains(t, err, "cannot do bad two")
		require.Equal(t, []string{"bad one", "bad two"}, tried)
		require.Zero(t, done)
	}
	require.Equal(t, "cannot do bad two", requireStatus(t, dir, 0, 0, 2).Reason)
	requireDone(t, dir)
	require.NoError(t, spool.Add(dir, "", []byte("good")))
	n, err := spool.RequeueFailed(dir)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	requireStatus(t, dir, 3, 0, 0)
	requireDone(t, dir, "bad one", "bad two", "good")
	left, err := os.ReadDir(filepath.Join(dir, "failed"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// A later job of a session is not done before an earlier one.
func TestAFailedJobHoldsBackItsSession(t *testing.T) {
	dir := none(t)
	for _, job := range []struct{ session, text string }{
		{"s1", "bad 1"}, {"s2", "a"}, {"s1", "b"}, {"", "bad 2"}, {"", "c"}, {"s1", "d"},
	} {
		require.NoError(t, spool.Add(dir, job.session, []byte(job.text)))
	}
	tried, done, err := drain(dir, failing)
	require.Error(t, err)
	require.Equal(t, []string{"bad 1", "a", "bad 2", "c"}, tried)
	require.Equal(t, 2, done)
	for range spool.MaxFailures - 2 {
		tried, _, err = drain(dir, failing)
		require.Error(t, err)
		require.Equal(t, []string{"bad 1", "bad 2"}, tried)
	}
	tried, _, err = drain(dir, failing)
	require.Error(t, err)
	require.Equal(t, []string{"bad 1", "b", "bad 2", "d"}, tried, "once it is given up the others go on")
	requireStatus(t, dir, 0, 0, 2)
}

func TestJobsThatComeMeanwhileAreDone(t *testing.T) {
	dir := filled(t, "one")
	tried, _, err := drain(dir, func(job string) error {
		if len(job) < 5 {
			return spool.Add(dir, "", []byte(job+"+"))
		}
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, []string{"one", "one+", "one++"}, tried)
}

// A job that kills its worker is given up in the end.
func TestAJobThatEndsItsWorker(t *testing.T) {
	dir := filled(t, "deadly", "good")
	file := jobFiles(t, dir)[0]
	rename := func(from, to string) {
		require.NoError(t, os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)))
	}
	rename(file, count(file, spool.MaxBegun-1, 0))
	requireStatus(t, dir, 2, 1, 0)
	ctx, cancel := context.WithCancel(context.Background())
	var counted spool.Status
	_, err := spool.Drain(ctx, dir, func(string, []byte) error {
		cancel() // as if it ended here
		counted, _ = spool.StatusOf(dir)
		return ctx.Err()
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 1, counted.Failed, "it is counted before it is done")
	tried, _, err := drain(dir, succeed)
	require.ErrorContains(t, err, "begun 20 times")
	require.Equal(t, []string{"good"}, tried)
	require.Contains(t, requireStatus(t, dir, 0, 0, 1).Reason, "begun 20 times")
}

func TestAPanicIsAnError(t *testing.T) {
	dir := filled(t, "bad", "good")
	tried, done, err := drain(dir, func(job string) error {
		if job == "bad" {
			panic("oh")
		}
		return nil
	})
	require.ErrorContains(t, err, "oh")
	require.Equal(t, []string{"bad", "good"}, tried)
	require.Equal(t, 1, done)
}

// Other files stay as they are, damaged jobs are given up immediately, and neither stops
// other jobs.
func TestGarbage(t *testing.T) {
	dir := filled(t, "cut off", "changed", "a folder", "good")
	files := jobFiles(t, dir)
	path := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.Truncate(path(files[0]), 3))
	require.NoError(t, os.WriteFile(path(files[1]), []byte("CHANGED"), 0o600))
	require.NoError(t, os.Remove(path(files[2])))
	require.NoError(t, os.Mkdir(path(files[2]), 0o700))
	foreign := []string{"README", files[3] + "~", "x" + files[3][1:], strings.ToUpper(files[3])}
	for _, name := range foreign {
		require.NoError(t, os.WriteFile(path(name), []byte("of somebody"), 0o600))
	}
	tried, _, err := drain(dir, succeed)
	require.ErrorContains(t, err, "not what was added")
	require.Equal(t, []string{"good"}, tried)
	require.Contains(t, requireStatus(t, dir, 0, 0, 3).Reason, "not what was added")
	left := jobFiles(t, dir)
	slices.Sort(foreign)
	require.Equal(t, slices.Compact(foreign), left)
}

func TestWhereNothingMoreCanBePutAside(t *testing.T) {
	dir := filled(t, "bad", "good")
	file := jobFiles(t, dir)[0]
	aside := filepath.Join(dir, "failed")
	require.NoError(t, os.Mkdir(aside, 0o700))
	const maxFailed = spool.MaxJobs / 10
	for i := range maxFailed {
		require.NoError(t, os.WriteFile(filepath.Join(aside, at(file, int64(i))), nil, 0o600))
	}
	for range spool.MaxFailures {
		_, _, err := drain(dir, failing)
		require.Error(t, err)
	}
	requireStatus(t, dir, 0, 0, maxFailed+1)
	tried, _, err := drain(dir, failing)
	require.ErrorContains(t, err, "full")
	require.Empty(t, tried)
	require.Len(t, jobFiles(t, dir), 1)
	for i := range maxFailed {
		require.NoError(t, os.Remove(filepath.Join(aside, at(file, int64(i)))))
	}
	n, err := spool.RequeueFailed(dir)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	requireDone(t, dir, "bad")
}

func TestManyErrorsAreFewLines(t *testing.T) {
	var jobs []string
	for i := range 40 {
		jobs = append(jobs, fmt.Sprint("bad ", i))
	}
	_, _, err := drain(filled(t, jobs...), failing)
	require.ErrorContains(t, err, "cannot do bad 0")
	require.ErrorContains(t, err, "35 more errors")
	require.Less(t, strings.Count(err.Error(), "\n"), 10)
}

func TestTheEndOfTheContextIsNoFailure(t *testing.T) {
	dir := filled(t, "one", "two")
	ctx, cancel := context.WithCancel(context.Background())
	done, err := spool.Drain(ctx, dir, func(string, []byte) error {
		cancel()
		return ctx.Err()
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, done)
	requireStatus(t, dir, 2, 1, 0)
	require.Regexp(t, `\.01\.0$`, jobFiles(t, dir)[0])
	requireDone(t, dir, "one", "two")
}

// A job that does not end keeps the lock, and no process waits for it.
// ErrNotNow counts for no job: however often it happens, all jobs stay, in their order, as
// if they had never been tried.
func TestWhatBefallsEveryJob(t *testing.T) {
	dir := filled(t, "a", "b")
	for range 2 * spool.MaxBegun {
		tried, done, err := drain(dir, func(string) error { return fmt.Errorf("no room: %w", spool.ErrNotNow) })
		require.ErrorIs(t, err, spool.ErrNotNow)
		require.ErrorContains(t, err, "no room")
		require.Equal(t, []string{"a"}, tried, "the others would fare no better")
		require.Zero(t, done)
	}
	requireStatus(t, dir, 2, 0, 0)
	requireDone(t, dir, "a", "b")
}

func TestAJobThatDoesNotEnd(t *testing.T) {
	dir := filled(t, "one", "two")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		release := make(chan struct{})
		_, err := spool.Drain(ctx, dir, func(string, []byte) error {
			<-release
			return nil
		})
		require.ErrorIs(t, err, spool.ErrStuck)
		_, _, err = drain(dir, succeed)
		require.ErrorIs(t, err, spool.ErrBusy)
		close(release)
		synctest.Wait()
	})
	requireDone(t, dir, "one", "two")
}

func TestOneWorkerAtATime(t *testing.T) {
	dir := filled(t, "one")
	var within error
	_, _, err := drain(dir, func(string) error {
		_, _, within = drain(dir, succeed)
		return spool.Start(dir, "no program") // there is a worker: none is started
	})
	require.NoError(t, err)
	require.ErrorIs(t, within, spool.ErrBusy)
	require.ErrorContains(t, spool.Start(dir, filepath.Join(dir, "no program")), "no program")
}

// The temporary file of a killed process is removed when it is old enough.
func TestRemainsAreRemoved(t *testing.T) {
	dir := filled(t, "one")
	young, old := filepath.Join(dir, ".new-young"), filepath.Join(dir, ".new-old")
	for _, name := range []string{young, old} {
		require.NoError(t, os.WriteFile(name, []byte("half"), 0o600))
	}
	past := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(old, past, past))
	requireDone(t, dir, "one")
	require.FileExists(t, young)
	require.NoFileExists(t, old)
}
