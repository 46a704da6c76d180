package dispatch_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/dispatch"
)

// What must not be lost is kept before any file is opened, whatever is wrong with the project,
// and the event is answered all the same if it cannot be kept.
func TestKeepComesFirst(t *testing.T) {
	fault := errors.New("the disk is full")
	_, missing := os.Stat(filepath.Join(t.TempDir(), "missing"))
	for name, c := range map[string]struct {
		settings string
		keep     error
		answered bool
		want     string // in the log
	}{
		"fine":                      {"", nil, true, ""},
		"settings cannot be used":   {"index: [\n", nil, true, ""},
		"it cannot be kept":         {"", fault, true, "the disk is full"},
		"neither":                   {"index: [\n", fault, true, "the disk is full"},
		"the folder does not exist": {"gone", nil, false, errors.Unwrap(missing).Error()},
	} {
		t.Run(name, func(t *testing.T) {
			dir, home := t.TempDir(), t.TempDir()
			switch c.settings {
			case "":
			case "gone":
				require.NoError(t, os.Remove(dir))
			default:
				require.NoError(t, os.WriteFile(filepath.Join(dir, ".whence.yaml"), []byte(c.settings), 0o644))
			}
			var done []string
			handlers := dispatch.Handlers{agent.Stop: {{
				Capture: func(r *dispatch.Request) (string, error) {
					require.Nil(t, r.Tree)
					require.Equal(t, home, r.Home)
					done = append(done, "kept")
					return "a job", c.keep
				},
				Run: func(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
					require.Equal(t, "a job", r.Captured)
					done = append(done, "answered")
					return nil, nil
				},
			}}}
			_, err := run(t, dir, home, agent.Stop, `{"session_id":"s"}`, handlers, map[string]string{"WHENCE_HOOK_DEADLINE": "1m"})
			require.Equal(t, c.want != "", err != nil, "%v", err)
			require.Equal(t, []string{"kept", "answered"}[:1+map[bool]int{true: 1}[c.answered]], done)
			if c.want != "" {
				require.Contains(t, strings.Join(dispatch.ReadFaults(home), "\n"), c.want)
			}
		})
	}
}

// To keep something may take longer than a reply, and what it takes is not taken from the
// reply.
func TestKeepHasItsOwnTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		home, kept, answered := t.TempDir(), 0, 0
		handlers := dispatch.Handlers{agent.Stop: {{
			Capture: func(*dispatch.Request) (string, error) { kept++; time.Sleep(3 * dispatch.Deadline / 2); return "", nil },
			Run:     func(context.Context, *dispatch.Request) (dispatch.RenderFunc, error) { answered++; return nil, nil },
		}}}
		usual := dispatch.Deadline.String()
		_, err := run(t, t.TempDir(), home, agent.Stop, `{"session_id":"s"}`, handlers, map[string]string{"WHENCE_HOOK_DEADLINE": usual})
		require.NoError(t, err)
		require.Equal(t, []int{1, 1}, []int{kept, answered})
	})
}

// A folder that begins with ~/ is one of the user's home folder, as users write it.
func TestHomeInPaths(t *testing.T) {
	var got agent.Event
	handlers := dispatch.Handlers{agent.Stop: {{Wants: func(e agent.Event) bool { got = e; return false }}}}
	user := t.TempDir()
	for path, want := range map[string]string{
		"~/t.jsonl": filepath.Join(user, "t.jsonl"), "~": user, "~ann/t.jsonl": "~ann/t.jsonl", "/a/~/t": "/a/~/t", "~~/t": "~~/t",
	} {
		_, err := run(t, t.TempDir(), t.TempDir(), agent.Stop, `{"cwd":"`+path+`","transcript_path":"`+path+`","agent_transcript_path":"`+path+`"}`, handlers,
			map[string]string{"HOME": user, "USERPROFILE": user})
		require.NoError(t, err)
		require.Equal(t, []string{want, want, want}, []string{got.Cwd, got.Transcript, got.SubTranscript})
	}
}

// A panic is a line in the log, and below it where it was, whichever goroutine it was in.
// Secrets in it are redacted, and it is one fault.
func TestAPanicIsLoggedWithItsStack(t *testing.T) {
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	explode := func() { panic("no such plank: " + secret) }
	for name, answer := range map[string]dispatch.Handler{
		"wants": {Wants: func(agent.Event) bool { explode(); return true }},
		"keep":  {Capture: func(*dispatch.Request) (string, error) { explode(); return "", nil }},
		"run":   {Run: func(context.Context, *dispatch.Request) (dispatch.RenderFunc, error) { explode(); return nil, nil }},
		"say": {Run: func(context.Context, *dispatch.Request) (dispatch.RenderFunc, error) {
			return func(*dispatch.Session) agent.Reply { explode(); return agent.Reply{} }, nil
		}},
	} {
		home := t.TempDir()
		_, _ = run(t, t.TempDir(), home, agent.Stop, `{"session_id":"s"}`, dispatch.Handlers{agent.Stop: {answer}}, map[string]string{"WHENCE_HOOK_DEADLINE": "1m"})
		faults := dispatch.ReadFaults(home)
		require.Len(t, faults, 1, name)
		require.Contains(t, faults[0], "claude Stop", name)
		require.Contains(t, faults[0], "a fault in the program: no such plank: [redacted: ", name)
		src, err := os.ReadFile(filepath.Join(home, dispatch.FaultLogName))
		require.NoError(t, err)
		lines := strings.Split(string(src), "\n")
		require.Regexp(t, `^\t.*TestAPanicIsLoggedWithItsStack.* .*capture_test\.go:\d+$`, lines[1], name)
		require.Less(t, len(src), 6<<10, name)
		require.NotContains(t, string(src), secret, name)
	}
}
