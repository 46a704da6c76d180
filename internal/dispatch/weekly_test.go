package dispatch_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/dispatch"
)

// weekly shows something once a week.
var weekly = dispatch.Handlers{agent.SessionStart: {{Run: func(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
	return func(s *dispatch.Session) agent.Reply {
		if !r.OnceAWeek(s, "it") {
			return agent.Reply{}
		}
		if strings.HasSuffix(r.Session, "panics") {
			panic("before the reply is given")
		}
		return agent.Reply{Context: "shown"}
	}, nil
}}}}

func TestOnceAWeek(t *testing.T) {
	home, one, other := filepath.Join(t.TempDir(), "home"), t.TempDir(), t.TempDir()
	folder := filepath.Join(home, "weekly")
	age := func(by time.Duration) { // all of its state
		files, err := os.ReadDir(folder)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, f := range files {
			at := time.Now().Add(-by)
			require.NoError(t, os.Chtimes(filepath.Join(folder, f.Name()), at, at))
		}
	}
	shows := func(dir, session string, variables map[string]string) bool {
		reply, _ := run(t, dir, home, agent.SessionStart, `{"session_id":"`+session+`"}`, weekly, variables)
		return strings.Contains(reply, "shown")
	}
	require.False(t, shows(one, "trial", map[string]string{dispatch.TrialVariable: "1"}))
	requireUntouched(t, home)
	require.False(t, shows(one, "panics", nil))
	require.False(t, shows(one, "while another process may be giving its reply", nil))
	age(2 * time.Minute)
	require.True(t, shows(one, "after a process that gave none", nil))
	require.False(t, shows(one, "another session", nil))
	require.True(t, shows(other, "another repository", nil))
	age(6 * 24 * time.Hour)
	require.False(t, shows(one, "in the same week", nil))
	age(8 * 24 * time.Hour)
	require.True(t, shows(one, "after a week", nil))

	files, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, files, 1, "old files are removed")
	if info, err := files[0].Info(); runtime.GOOS != "windows" {
		require.NoError(t, err)
		require.EqualValues(t, 0o600, info.Mode())
	}
}

// Of sessions that begin at the same time, one is shown it.
func TestOnceAWeekConcurrently(t *testing.T) {
	for range 20 {
		dir, home := t.TempDir(), t.TempDir()
		var all sync.WaitGroup
		var shown atomic.Int32
		for i := range 8 {
			all.Go(func() {
				reply, _ := run(t, dir, home, agent.SessionStart, `{"session_id":"`+string(rune('a'+i))+`"}`, weekly, map[string]string{"WHENCE_HOOK_DEADLINE": "1m"})
				if strings.Contains(reply, "shown") {
					shown.Add(1)
				}
			})
		}
		all.Wait()
		require.EqualValues(t, 1, shown.Load())
	}
}
