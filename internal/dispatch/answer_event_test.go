package dispatch_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/dispatch"
	"whence/internal/test/repotest"
)

// run has an event answered in a folder, with the store in another one, and returns the
// reply. Unless a deadline is set, even a busy machine meets it.
func run(t *testing.T, dir, home, name, input string, handlers dispatch.Handlers, variables map[string]string) (string, error) {
	t.Helper()
	return runAs(t, agent.Claude, dir, home, name, input, handlers, variables)
}

func runAs(t *testing.T, client agent.Client, dir, home, name, input string, handlers dispatch.Handlers, variables map[string]string) (string, error) {
	t.Helper()
	repotest.ClaimHome(t, home)
	var out bytes.Buffer
	err := dispatch.Run(cli.Env{
		Args: []string{"memory-x", name}, Dir: dir, Stdin: strings.NewReader(input), Stdout: &out, Stderr: io.Discard, Deadline: time.Hour,
		Getenv: func(variable string) string {
			switch value := variables[variable]; {
			case variable == "WHENCE_HOME":
				return home
			default:
				return value
			}
		},
	}, client, name, handlers)
	return out.String(), err
}

// Work that follows a reply is done once the reply is given, and never if it is not.
func TestAfter(t *testing.T) {
	fault := errors.New("a fault")
	for name, c := range map[string]struct {
		input, deadline string
		fault           error
		given           bool
	}{
		"given":                   {`{"session_id":"s"}`, "1m", nil, true},
		"given without a session": {`{}`, "1m", nil, true},
		"late":                    {`{"session_id":"s"}`, "300ms", nil, false},
		"late without a session":  {`{}`, "300ms", nil, false},
		"it fails":                {`{"session_id":"s"}`, "1m", fault, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var done atomic.Int32
				moment, late := make(chan *dispatch.Request, 1), make(chan struct{})
				handlers := dispatch.Handlers{agent.SessionStart: {{Run: func(_ context.Context, r *dispatch.Request) (dispatch.RenderFunc, error) {
					moment <- r
					if !c.given {
						<-late
					}
					return func(s *dispatch.Session) agent.Reply {
						s.After(func(context.Context) error { done.Add(1); return c.fault })
						return agent.Reply{Context: "told"}
					}, nil
				}}}}
				reply, err := run(t, t.TempDir(), t.TempDir(), agent.SessionStart, c.input, handlers, map[string]string{"WHENCE_HOOK_DEADLINE": c.deadline})
				close(late)
				require.Equal(t, c.given, reply != "")
				require.Equal(t, c.fault != nil, errors.Is(err, fault))
				require.NotEmpty(t, moment, "the deadline was over before the handler ran")
				r := <-moment
				synctest.Wait()
				_, err = fs.Stat(r.Tree.FS(), ".")
				require.ErrorIs(t, err, fs.ErrClosed, "it is past all, also where nobody has waited for it")
				require.Equal(t, c.given, done.Load() == 1)
			})
		})
	}
}

// If no handler wants an event, nothing is read and nothing is written.
func TestWants(t *testing.T) {
	dir, home := repotest.Home(t), filepath.Join(t.TempDir(), "none")
	var asked []agent.Event
	ran := 0
	answer := dispatch.Handler{
		Wants: func(e agent.Event) bool { asked = append(asked, e); return e.Tool == "Read" },
		Run:   func(context.Context, *dispatch.Request) (dispatch.RenderFunc, error) { ran++; return nil, nil },
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".whence.yaml"), []byte("index: [\n"), 0o644))
	handlers := dispatch.Handlers{agent.PostToolUse: {answer}}
	_, err := run(t, dir, home, agent.PostToolUse, `{"session_id":"s","tool_name":"Grep"}`, handlers, nil)
	require.NoError(t, err)
	requireUntouched(t, home)
	_, err = run(t, dir, home, agent.PostToolUse, `{"session_id":"s","tool_name":"Read"}`, handlers, nil)
	require.NoError(t, err)
	require.Equal(t, 1, ran, "settings that cannot be used take nothing with them")
	require.Len(t, asked, 2)
	for _, e := range asked {
		require.Equal(t, dir, e.Cwd, "an agent need not say where it is")
	}
}

// requireUntouched fails if anything was stored in a home.
func requireUntouched(t *testing.T, home string) {
	t.Helper()
	entries, err := os.ReadDir(home)
	require.NoError(t, err)
	require.Len(t, entries, 1, "its marker alone")
}

// The deadline covers the reading of the event, too.
func TestAnUnfinishedEventIsGivenUp(t *testing.T) {
	for name, begun := range map[string]string{"nothing": "", "a part": `{"session_id":"s","cwd":`} {
		for _, event := range []string{agent.Stop, agent.PostToolUseFailure} {
			t.Run(name+" "+event, func(t *testing.T) {
				home := t.TempDir()
				repotest.ClaimHome(t, home)
				synctest.Test(t, func(t *testing.T) {
					in, out := io.Pipe()
					go func() { _, _ = io.WriteString(out, begun) }()
					recorded := false
					handlers := dispatch.Handlers{event: {{Record: func(*dispatch.Request) error { recorded = true; return nil }}}}
					began := time.Now()
					err := dispatch.Run(cli.Env{
						Args: []string{"memory-x", event}, Dir: t.TempDir(), Stdin: in, Stdout: io.Discard, Stderr: io.Discard,
						Getenv: func(name string) string { return map[string]string{"WHENCE_HOME": home}[name] },
					}, agent.Claude, event, handlers)
					require.EqualError(t, err, "no reply in time: within 1s")
					require.Equal(t, dispatch.Deadline, time.Since(began), "by the clock of the test")
					require.False(t, recorded)
					require.NoError(t, errors.Join(in.Close(), out.Close()))
				})
			})
		}
	}
}

// Agents let a repository set variables, so this one may only shorten.
func TestTheDeadlineIsOnlyShortened(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"": dispatch.Deadline, "1h": dispatch.Deadline, "1001ms": dispatch.Deadline, "-1s": dispatch.Deadline, "0": dispatch.Deadline, "soon": dispatch.Deadline,
		"500ms": 500 * time.Millisecond, "1ns": 1,
	} {
		require.Equal(t, want, dispatch.DeadlineOf(cli.Env{Getenv: func(string) string { return value }}), value)
	}
}
