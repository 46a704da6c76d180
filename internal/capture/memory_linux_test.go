package capture_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/capture"
	"whence/internal/store"
	"whence/internal/test/repotest"
)

// dispatchDeadline is dispatch.Deadline: an event that waited for the worker would exceed it.
const dispatchDeadline = time.Second

// A long transcript takes little memory, and keeps no event from registering another one: the store is
// locked for short times only.
func TestALongTranscript(t *testing.T) {
	if testing.Short() {
		t.Skip("processes run side by side here, no goroutines")
	}
	bytesOf := 12 << 20
	if repotest.Long() {
		bytesOf = 100 << 20
	}
	s := newSession(t, "")
	file, err := os.Create(s.transcript)
	require.NoError(t, err)
	out, written := bufio.NewWriter(file), 0
	write := func(line []byte) {
		n, err := out.Write(line)
		require.NoError(t, err)
		written += n
	}
	random := rand.New(rand.NewPCG(1, 2))
	output, err := json.Marshal(strings.Repeat("what a tool prints at length, and none keeps\n", 8000))
	require.NoError(t, err)
	for n := 0; written < bytesOf; n++ {
		for _, line := range invented(random, fmt.Sprintf("s%d", n), 100).lines {
			write(line)
		}
		write(fmt.Appendf(nil, `{"type":"user","uuid":"big-%d","sessionId":"s","message":{"content":[{"type":"tool_result","tool_use_id":"x","content":%s}]}}`+"\n", n, output))
	}
	require.NoError(t, errors.Join(out.Flush(), file.Close()))
	s.event()
	worker, err := startWorker(s.home)
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- worker.Wait() }()
	var waited []time.Duration
	most := 0
	e := agent.Event{Session: "other", Cwd: s.dir, Transcript: s.transcript + ".other"}
	for going := true; going; {
		select {
		case err := <-ended:
			require.NoError(t, err)
			going = false
		case <-time.After(5 * time.Millisecond):
			most = max(most, peakMB(worker.Process.Pid))
			begun := time.Now()
			require.NoError(t, capture.Register(context.Background(), s.home, e, s.rules, time.Now().Add(-time.Hour)))
			reading, err := store.OpenReadOnly(t.Context(), s.home)
			require.NoError(t, err)
			require.NoError(t, reading.Close())
			waited = append(waited, time.Since(begun))
		}
	}
	slices.Sort(waited)
	t.Logf("%d MB, %d turns: worker %d MB, %v; %d events, median %v, 95%% %v, max %v", written>>20, len(stored(t, s.home)), most,
		worker.ProcessState.UserTime(), len(waited), waited[len(waited)/2], waited[len(waited)*95/100], waited[len(waited)-1])
	require.Positive(t, most)
	require.LessOrEqual(t, most, 80)
	require.Less(t, waited[len(waited)/2], dispatchDeadline, "no event waits for the whole transcript")
}

// peakMB is the most memory that a process has had, without what its parent had when it was forked.
func peakMB(pid int) (mb int) {
	src, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(src)) {
		if strings.HasPrefix(line, "VmHWM:") {
			_, _ = fmt.Sscanf(line, "VmHWM: %d kB", &mb)
		}
	}
	return mb >> 10
}
