package capture_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// hook starts the process of an event, which starts a detached worker.
func (w *world) hook(i int, pids string) *exec.Cmd {
	w.t.Helper()
	cmd := repotest.NewJob("event", w.home, w.talks[i].transcript())
	cmd.Env = append(cmd.Env, pidsVariable+"="+pids)
	require.NoError(w.t, cmd.Start())
	return cmd
}

// settle writes the transcripts to their ends, with one event for all, and waits for the workers.
func (w *world) settle() {
	w.t.Helper()
	for i, k := range w.talks {
		w.write(i, len(k.source()))
	}
	w.tell(0)
	want := len(read(w.t, w.talks...))
	for until := time.Now().Add(time.Minute); len(stored(w.t, w.home)) < want && time.Now().Before(until); {
		work(w.t, w.home) // another one may wait, and do it
		time.Sleep(50 * time.Millisecond)
	}
	requireOnce(w.t, w.home, w.talks...)
}

// killOne kills one of the workers of a file, and reports whether it was at work.
func killOne(random *rand.Rand, pids string) bool {
	src, _ := os.ReadFile(pids)
	all := strings.Fields(string(src))
	if len(all) == 0 {
		return false
	}
	pid, err := strconv.Atoi(all[len(all)-1-random.IntN(min(len(all), 3))])
	if err != nil {
		return false
	}
	process, err := os.FindProcess(pid)
	return err == nil && process.Kill() == nil
}

// Events come while agents write, and hooks and workers are killed at any point: each turn is stored, and
// once.
func TestKilledHooksAndWorkers(t *testing.T) {
	events := 80
	if repotest.Long() {
		events = 1000
	}
	seed := uint64(time.Now().UnixNano())
	talks := slices.Concat(talksOf(seed), talksOf(seed+1), agentTalks(t))
	w := newWorld(t, seed, talks...)
	for i := range w.talks {
		w.tell(i) // each has had an event that was not killed: without any, nothing is captured
	}
	pids, killedHooks, killedWorkers := filepath.Join(t.TempDir(), "pids"), 0, 0
	var all sync.WaitGroup
	running := make(chan struct{}, 4)
	for range events {
		cmd := w.hook(w.step(), pids)
		if w.random.IntN(3) == 0 {
			delay := time.Duration(w.random.IntN(40)) * time.Millisecond
			time.AfterFunc(delay, func() { _ = cmd.Process.Kill() })
			killedHooks++
		}
		running <- struct{}{}
		all.Go(func() { _ = cmd.Wait(); <-running })
		if w.random.IntN(4) == 0 && killOne(w.random, pids) {
			killedWorkers++
		}
	}
	all.Wait()
	t.Logf("%d events, %d hooks and %d workers killed", events, killedHooks, killedWorkers)
	require.Positive(t, killedWorkers)
	w.settle()
}

// Many concurrent sessions, each with its own events.
func TestThirtySessionsAtOnce(t *testing.T) {
	const sessions = 30
	pieces := 2
	if repotest.Long() {
		pieces = 20
	}
	var talks []talk
	for i := range uint64(sessions) {
		talks = append(talks, invented(rand.New(rand.NewPCG(i, 3)), fmt.Sprintf("s%d", i), 30))
	}
	w := newWorld(t, 3, talks...)
	failures := make([]error, sessions)
	var all sync.WaitGroup
	for i, k := range w.talks {
		all.Go(func() {
			src := k.source()
			for n := range pieces {
				if err := os.WriteFile(k.path, src[:len(src)*(n+1)/pieces], 0o600); err != nil {
					failures[i] = err
					return
				}
				if out, err := repotest.NewJob("event", w.home, k.path).CombinedOutput(); err != nil {
					failures[i] = fmt.Errorf("%w: %s", err, out)
					return
				}
			}
		})
	}
	all.Wait()
	require.Equal(t, make([]error, sessions), failures)
	want := len(read(t, w.talks...))
	for until := time.Now().Add(time.Minute); len(stored(t, w.home)) < want && time.Now().Before(until); {
		time.Sleep(100 * time.Millisecond) // no event is needed for what was written before the last
	}
	requireOnce(t, w.home, w.talks...)
}

// A worker that finds another one at work waits, so that what was registered meanwhile is read; a third one exits.
func TestNoWakeUpIsLost(t *testing.T) {
	s := newSession(t, say("a", retry))
	s.eventAt(time.Now()) // the first worker waits for an answer
	first, err := startWorker(s.home)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return len(stored(t, s.home)) == 1 }, time.Minute, 10*time.Millisecond)
	s.transcript = filepath.Join(t.TempDir(), "other.jsonl")
	s.write(say("b", "another session that comes meanwhile"))
	s.event()
	second, err := startWorker(s.home)
	require.NoError(t, err)
	require.NoError(t, first.Wait())
	require.NoError(t, second.Wait())
	s.has(retry, "another session that comes meanwhile")
}

func startWorker(home string) (*exec.Cmd, error) {
	cmd := repotest.NewJob("worker", home)
	return cmd, cmd.Start()
}
