package hooks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"

	"whence/hooks"
	"whence/internal/agent"
	"whence/internal/cli"
	"whence/internal/test/storetest"
)

// ask passes an event to the program and returns the reply. Its deadline allows for a busy machine; other tests are
// about the deadline.
func ask(t testing.TB, dir, home, name string, input []byte) string {
	t.Helper()
	return askWithin(t, time.Minute, dir, home, name, input)
}

// askWithin is ask with another deadline.
func askWithin(t testing.TB, deadline time.Duration, dir, home, name string, input []byte) string {
	t.Helper()
	var out, errs bytes.Buffer
	status := hooks.Main(cli.Env{
		Args: []string{"memory-hooks", name}, Dir: dir, Stdin: bytes.NewReader(input), Stdout: &out, Stderr: &errs, Deadline: deadline,
		Getenv: func(variable string) string {
			return map[string]string{"WHENCE_HOME": home}[variable]
		},
	})
	require.Zero(t, status)
	require.Empty(t, errs.String())
	return out.String()
}

// hold keeps all others from the states of sessions until it is released.
func hold(t testing.TB, home string) (release func()) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Join(home, "sessions"), 0o700))
	lock := flock.New(filepath.Join(home, "sessions"), flock.SetFlag(os.O_RDONLY))
	require.NoError(t, lock.Lock())
	return func() { require.NoError(t, lock.Close()) }
}

// Copilot CLI runs what a project registers with Claude Code, but needs replies in its own shape.
func TestCopilotRunsThatOfClaudeCode(t *testing.T) {
	for _, c := range []struct {
		variable, flag string
		want           bool // its shape
	}{
		{"", "claude", false}, {"1", "claude", true}, {"1", "", true}, {"0", "claude", false}, {"", "copilot", true}, {"1", "codex", false},
	} {
		args := []string{"memory-hooks", "UserPromptSubmit"}
		if c.flag != "" {
			args = append(args, "--agent", c.flag)
		}
		home := storetest.ConsentingHome(t)
		var out bytes.Buffer
		hooks.Main(cli.Env{
			Args: args, Dir: "../examples/ferry", Stdout: &out, Stderr: &out, Deadline: time.Minute,
			Stdin: strings.NewReader(`{"session_id":"s","prompt":"a retry of a payment was charged twice, how do we retry payments?"}`),
			Getenv: func(variable string) string {
				return map[string]string{"WHENCE_HOME": home, "COPILOT_CLI": c.variable}[variable]
			},
		})
		var reply struct {
			Context  string `json:"additionalContext"`
			Specific struct {
				Context string `json:"additionalContext"`
			} `json:"hookSpecificOutput"`
		}
		require.NoError(t, json.Unmarshal(out.Bytes(), &reply), out.String())
		require.Contains(t, reply.Specific.Context, "/when retrying a charge safely")
		require.Equal(t, c.want, reply.Context == reply.Specific.Context, "%+v", c)
	}
}

// In some agents, texts of hooks come back in prompts. They recall nothing, and do not prevent recall.
func TestOwnWordsAreNoPrompt(t *testing.T) {
	const asked = "a retry of a payment was charged twice, how do we retry payments?"
	for prompt, want := range map[string]bool{
		asked: true,
		"<hook_context>Tip: Use `/remember &lt;learning&gt;` to capture insights.\nMemory index: 2 findings (memory-validate shows them).</hook_context>\n\n" + asked: true,
		"<hook_context>" + asked + "</hook_context>\n\ngo on": false,
		agent.BrokenIndexHead + "\n" + asked + "\n":           false,
	} {
		input, err := json.Marshal(map[string]string{"session_id": "s", "prompt": prompt})
		require.NoError(t, err)
		reply := ask(t, "../examples/ferry", t.TempDir(), "UserPromptSubmit", input)
		require.Equal(t, want, strings.Contains(reply, "/when retrying a charge safely"), prompt)
	}
}

// requireReply requires that a reply is empty, or one that agents accept.
func requireReply(t testing.TB, name, reply string) {
	t.Helper()
	if reply == "" {
		return
	}
	var out struct {
		Decision, Reason string
		Specific         *struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
		Notice string `json:"systemMessage"`
	}
	decoder := json.NewDecoder(strings.NewReader(reply))
	decoder.DisallowUnknownFields()
	require.NoError(t, decoder.Decode(&out), reply)
	if out.Specific != nil {
		require.Contains(t, []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure"}, out.Specific.Event)
		require.LessOrEqual(t, utf8.RuneCountInString(out.Specific.Context), 10_000, "agents show only the beginning of a longer one")
	}
}

// Whatever an agent sends, it gets a reply that it accepts, or none, and exit status 0.
func FuzzEvent(f *testing.F) {
	dir, home := "../examples/ferry", storetest.ConsentingHome(f)
	for _, name := range append(agent.Names, "PreToolUse") {
		f.Add(name, []byte(`{"session_id":"s","hook_event_name":"`+name+`","cwd":"`+dir+`","prompt":"storing a time","tool_name":"Bash","tool_input":{"command":"make"},"error":"no rule to make target"}`))
	}
	f.Add("Stop", []byte(`{"session_id":7,"cwd":null}`))
	f.Add("UserPromptSubmit", []byte("\xff\x00{"))
	f.Add("UserPromptSubmit", []byte(`{"session_id":"../../x","prompt":"/when § ../../etc/passwd\n/when \u0000 x","cwd":"/nowhere"}`))
	f.Fuzz(func(t *testing.T, name string, input []byte) {
		if !slices.Contains(agent.Names, name) && !regexp.MustCompile(`^[A-Z]`).MatchString(name) {
			return // a mistake on the command line, of whoever installed it
		}
		requireReply(t, name, ask(t, dir, home, name, input))
	})
}

// Many events of one session at once leave its state whole: each item is shown once.
func TestEventsAtOnce(t *testing.T) {
	const events = 100
	dir, home := t.TempDir(), storetest.ConsentingHome(t)
	require.NoError(t, os.CopyFS(dir, os.DirFS("../examples/ferry")))
	input := []byte(`{"session_id":"s","prompt":"a retry of a payment was charged twice, how do we retry payments?"}`)
	alone := ask(t, dir, t.TempDir(), "UserPromptSubmit", input)
	require.NotEmpty(t, alone)
	replies := make([]string, events)
	var all sync.WaitGroup
	for i := range events {
		all.Go(func() { replies[i] = ask(t, dir, home, "UserPromptSubmit", input) })
	}
	all.Wait()
	spoke := 0
	for _, r := range replies {
		requireReply(t, "UserPromptSubmit", r)
		if r != "" {
			spoke++
		}
	}
	require.Equal(t, 1, spoke)
	files, err := filepath.Glob(filepath.Join(home, "sessions", "*.json"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	src, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.True(t, json.Valid(src))
	info, err := os.Stat(files[0])
	require.NoError(t, err)
	require.True(t, info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows")
}

// Without a usable store, learnings are missing but decisions are shown, and the log has the reason.
func TestDamagedStore(t *testing.T) {
	dir, home := t.TempDir(), storetest.ConsentingHome(t)
	require.NoError(t, os.CopyFS(dir, os.DirFS("../examples/ferry")))
	require.NoError(t, os.WriteFile(filepath.Join(home, "memory.db"), []byte(strings.Repeat("no database ", 100)), 0o600))
	reply := ask(t, dir, home, "UserPromptSubmit", []byte(`{"session_id":"s","prompt":"a retry of a payment was charged twice, how do we retry payments?"}`))
	require.Contains(t, reply, "/when retrying a charge safely")
	log, err := os.ReadFile(filepath.Join(home, "hooks.log"))
	require.NoError(t, err)
	require.Contains(t, string(log), "UserPromptSubmit")
	require.Contains(t, string(log), "it is not a database")
	for i := range 2000 { // the log does not grow for ever
		ask(t, dir, home, "Stop", []byte(fmt.Sprintf("no JSON %d %s", i, strings.Repeat("x", 600))))
	}
	files, err := filepath.Glob(filepath.Join(home, "hooks.log*"))
	require.NoError(t, err)
	size := int64(0)
	for _, f := range files {
		info, err := os.Stat(f)
		require.NoError(t, err)
		size += info.Size()
	}
	require.Less(t, size, int64(1<<20))
}
