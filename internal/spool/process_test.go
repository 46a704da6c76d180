package spool_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/spool"
)

// The test binary is also the other processes: it runs the function that the variable names
// with the spool that is its first argument.
const jobVariable = "SPOOL_TEST_JOB"

var jobs = map[string]func(dir string, args []string) error{
	"add":   addForever,
	"work":  work,
	"serve": workForever,
	"start": addAndStart,
	"both":  addAndDrain,
	"fault": addOnce,
}

func TestMain(m *testing.M) {
	job, isChild := jobs[os.Getenv(jobVariable)]
	if !isChild {
		os.Exit(m.Run())
	}
	if err := job(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func child(job, dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{dir}, args...)...)
	cmd.Env = append(os.Environ(), jobVariable+"="+job)
	return cmd
}

// Jobs of these processes are "process number". They are idempotent: of equal lines in the
// log only the first counts.

func logOf(dir string) string { return filepath.Join(filepath.Dir(dir), "log") }

func effect(dir string, slowly bool) func(string, []byte) error {
	return func(_ string, job []byte) error {
		f, err := os.OpenFile(logOf(dir), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(f, "%s\n", job)
		if slowly {
			err = errors.Join(err, f.Sync())
		}
		return errors.Join(err, f.Close())
	}
}

// effects returns the jobs that were done, in order, and how often each was done.
func effects(t *testing.T, dir string) (order []string, times map[string]int) {
	t.Helper()
	src, err := os.ReadFile(logOf(dir))
	require.NoError(t, err)
	times = map[string]int{}
	for line := range strings.Lines(string(src)) {
		job := strings.TrimSuffix(line, "\n")
		if times[job]++; times[job] == 1 {
			order = append(order, job)
		}
	}
	return order, times
}

// requireInOrder requires that the jobs of each process were done as they were added.
func requireInOrder(t *testing.T, order []string) {
	t.Helper()
	next := map[int]int{}
	for _, job := range order {
		var process, number int
		_, err := fmt.Sscan(job, &process, &number)
		require.NoError(t, err, job)
		require.Equal(t, next[process], number, "process %d", process)
		next[process]++
	}
}

// addForever adds jobs and prints which were accepted.
func addForever(dir string, args []string) error {
	for i := 0; ; i++ {
		job := fmt.Sprint(args[0], " ", i)
		if err := spool.Add(dir, args[0], []byte(job)); err != nil {
			return err
		}
		fmt.Println(job)
		if i%20 == 0 {
			time.Sleep(time.Millisecond) // else the spool is soon full
		}
	}
}

func work(dir string, _ []string) error { return drainFor(dir, false) }

func drainFor(dir string, slowly bool) error {
	_, err := spool.Drain(context.Background(), dir, effect(dir, slowly))
	if errors.Is(err, spool.ErrBusy) {
		return nil
	}
	return err
}

// workForever takes so long for each job that it is killed during one.
func workForever(dir string, _ []string) error {
	for {
		if err := drainFor(dir, true); err != nil {
			return err
		}
	}
}

const perProcess = 60

func addAndDrain(dir string, args []string) error {
	for i := range perProcess {
		if err := spool.Add(dir, args[0], fmt.Append(nil, args[0], " ", i)); err != nil {
			return err
		}
		if err := work(dir, nil); err != nil {
			return err
		}
	}
	return nil
}

func addAndStart(dir string, args []string) error {
	if err := os.Setenv(jobVariable, "work"); err != nil {
		return err
	}
	for i := range perProcess {
		if err := spool.Add(dir, args[0], fmt.Append(nil, args[0], " ", i)); err != nil {
			return err
		}
		if err := spool.Start(dir, os.Args[0], dir); err != nil {
			return err
		}
	}
	return nil
}

func addOnce(dir string, args []string) error {
	size, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	return spool.Add(dir, "", bytes.Repeat([]byte("x"), size))
}

// Processes that add a job drain the spool unless another one does. When all have returned
// no job is left: none has relied on a worker that had stopped checking.
func TestNoWakeUpIsLost(t *testing.T) {
	for _, c := range []struct {
		name string
		run  func(dir, process string) error
	}{
		{"goroutines", func(dir, process string) error { return addAndDrain(dir, []string{process}) }},
		{"processes", func(dir, process string) error { return run(child("both", dir, process)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			const adders = 6
			dir := none(t)
			errs := make([]error, adders)
			var all sync.WaitGroup
			for i := range adders {
				all.Go(func() { errs[i] = c.run(dir, strconv.Itoa(i)) })
			}
			all.Wait()
			require.NoError(t, errors.Join(errs...))
			require.Empty(t, jobFiles(t, dir))
			order, times := effects(t, dir)
			require.Len(t, order, adders*perProcess)
			requireInOrder(t, order)
			for job, n := range times {
				require.Equal(t, 1, n, job)
			}
		})
	}
}

func run(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// The critical moment is between a worker's last check and the release of its lock. It is
// hit more often if each process adds one job, again and again.
func TestNoWakeUpIsLostInTheEnd(t *testing.T) {
	rounds := 3000
	if testing.Short() {
		rounds = 600
	}
	const adders = 3
	dir := none(t)
	done := func(string, []byte) error { return nil }
	for range rounds {
		errs := make([]error, adders)
		var all sync.WaitGroup
		for i := range adders {
			all.Go(func() {
				errs[i] = spool.Add(dir, "", nil)
				if _, err := spool.Drain(context.Background(), dir, done); !errors.Is(err, spool.ErrBusy) {
					errs[i] = errors.Join(errs[i], err)
				}
			})
		}
		all.Wait()
		require.NoError(t, errors.Join(errs...))
		require.Empty(t, jobFiles(t, dir))
	}
}

// The same with detached workers, which do all jobs.
func TestStartedWorkersDoAll(t *testing.T) {
	const adders = 3
	dir := none(t)
	errs := make([]error, adders)
	var all sync.WaitGroup
	for i := range adders {
		all.Go(func() { errs[i] = run(child("start", dir, strconv.Itoa(i))) })
	}
	all.Wait()
	require.NoError(t, errors.Join(errs...))
	require.Eventually(t, func() bool {
		s, err := spool.StatusOf(dir)
		return err == nil && s.Waiting == 0
	}, 5*time.Minute, 5*time.Millisecond)
	order, _ := effects(t, dir)
	require.Len(t, order, adders*perProcess)
	requireInOrder(t, order)
}

func TestKilledAddersAndWorkers(t *testing.T) {
	rounds := 30
	if testing.Short() {
		rounds = 8
	}
	const adders, workers = 3, 2 // in a round
	dir := none(t)
	seed := time.Now().UnixNano()
	t.Log("seed", seed)
	random := rand.New(rand.NewSource(seed))
	accepted := map[string]bool{}
	// Repeat until a worker was killed in the middle of a job: otherwise the kills prove little.
	interrupted := 0
	for round := 0; round < rounds || interrupted == 0 && round < 10*rounds; round++ {
		outs := make([]bytes.Buffer, adders+workers)
		stderrs := make([]bytes.Buffer, adders+workers)
		var all sync.WaitGroup
		for i := range outs {
			cmd := child("serve", dir)
			if i < adders {
				cmd = child("add", dir, strconv.Itoa(round*adders+i))
			}
			cmd.Stdout, cmd.Stderr = &outs[i], &stderrs[i]
			require.NoError(t, cmd.Start())
			delay := time.Duration(2000+random.Intn(60_000)) * time.Microsecond
			all.Go(func() {
				time.Sleep(delay)
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			})
		}
		all.Wait()
		for i := range outs {
			require.Empty(t, stderrs[i].String())
			for lines := bufio.NewScanner(&outs[i]); lines.Scan(); {
				accepted[lines.Text()] = true
			}
		}
		s, err := spool.StatusOf(dir)
		require.NoError(t, err)
		interrupted += s.Tried
	}
	require.NoError(t, work(dir, nil))
	requireStatus(t, dir, 0, 0, 0)
	order, times := effects(t, dir)
	again := 0
	for _, n := range times {
		again += n - 1
	}
	t.Logf("%d jobs accepted, %d done, %d of them again; %d workers killed at a job", len(accepted), len(order), again, interrupted)
	require.NotZero(t, interrupted)
	requireInOrder(t, order)
	for job := range accepted {
		require.Contains(t, times, job)
	}
	for _, job := range order { // at most one more of each process: it had no time to print it
		process, number, _ := strings.Cut(job, " ")
		n, err := strconv.Atoi(number)
		require.NoError(t, err)
		require.True(t, n == 0 || accepted[fmt.Sprint(process, " ", n-1)], "%s was never added", job)
	}
}
