//go:build unix

package hooks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"

	"whence/internal/config"
	"whence/internal/test/repotest"
	"whence/internal/test/storetest"
)

// maxWait is how long a process may take in these tests. One that waits for its state would take forever.
const maxWait = 5 * time.Minute

// onlyGit makes a folder in which git is the only program, or none if the test has hidden git.
func onlyGit(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if git, err := exec.LookPath("git"); err == nil {
		require.NoError(t, os.Symlink(git, filepath.Join(dir, "git")))
	}
	return dir
}

// inTime runs a program, requires that it ends, and returns its exit status and output.
func inTime(t *testing.T, dir, home, input, program string, args ...string) (status int, stdout string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), maxWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	var out bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout = dir, strings.NewReader(input), &out
	cmd.Env = []string{"PATH=" + onlyGit(t), "HOME=" + t.TempDir(), "WHENCE_HOME=" + home}
	err := cmd.Run()
	require.NoError(t, ctx.Err(), "%s %v waits", filepath.Base(program), args)
	if cmd.ProcessState == nil {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// If any file below the folder of the state is a pipe, or is locked by another process, each event still ends in time
// with status 0.
func TestNoEventWaitsForItsState(t *testing.T) {
	bin := t.TempDir()
	program := repotest.Build(t, bin, "whence/hooks/memory-hooks")
	require.NoError(t, os.WriteFile(filepath.Join(bin, "memory-remember"), []byte("#!/bin/sh\n"), 0o700)) // a worker that does nothing
	dir, home := ferry(t)
	git(t, dir, "init", "-q")
	git(t, dir, "add", "-f", ".")
	// A setting of it cannot be used.
	require.NoError(t, os.WriteFile(filepath.Join(dir, config.ProjectFile), []byte("memory_turn_days: many\n"), 0o600))
	git(t, dir, "add", "-f", ".")
	require.NoError(t, os.WriteFile(filepath.Join(home, config.UserFile), []byte("memory_injection_limit: 5\n"), 0o600))
	transcript := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, os.WriteFile(transcript, []byte(`{"type":"user","uuid":"1","sessionId":"s","message":{"content":"hello"}}`+"\n"), 0o600))
	input, err := json.Marshal(map[string]any{
		"session_id": "s", "cwd": dir, "transcript_path": transcript, "source": "startup", "prompt": "how do we retry payments?",
		"tool_name": "Read", "tool_input": map[string]string{"file_path": filepath.Join(dir, "agents/decisions/payments.md")},
	})
	require.NoError(t, err)
	events := []string{"SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop", "PreCompact", "SessionEnd"}
	for _, event := range events {
		inTime(t, dir, home, string(input), program, event)
	}
	readOn(t, home)
	inTime(t, dir, home, string(input), program, "Stop")
	inTime(t, dir, home, "{", program, "Stop") // a fault
	keeps := func(pattern string) bool {
		found, err := filepath.Glob(filepath.Join(home, pattern))
		return err == nil && len(found) > 0
	}
	for end := time.Now().Add(maxWait); !(keeps("memory/*.json")) && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		inTime(t, dir, home, string(input), program, "UserPromptSubmit") // a memory that has just changed gets none
	}
	// A log that is full has to be renamed.
	require.NoError(t, os.WriteFile(filepath.Join(home, "hooks.log"), make([]byte, 256<<10), 0o600))
	names := map[string]bool{"": true, "sessions": true, "memory.db-wal": true, "memory.db-shm": true}
	names["hooks.log.lock"], names["hooks.log.1"] = true, true
	require.NoError(t, filepath.WalkDir(home, func(path string, _ fs.DirEntry, err error) error {
		name, _ := filepath.Rel(home, path)
		if name != "." {
			names[name] = true
		}
		if filepath.Ext(name) == ".json" {
			names[filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+".whence-new")] = true
		}
		return err
	}))
	for _, pattern := range []string{"memory/*.json", "sessions/*.json", "capture.lock", "memory.db"} {
		found, err := filepath.Glob(filepath.Join(home, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
	}
	for name := range names {
		for how, block := range map[string]func(t *testing.T, path string){
			"pipe": func(t *testing.T, path string) {
				require.NoError(t, os.RemoveAll(path))
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
				require.NoError(t, syscall.Mkfifo(path, 0o600))
			},
			"locked": func(t *testing.T, path string) {
				flag := os.O_RDONLY
				if _, err := os.Stat(path); err != nil {
					require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
					flag |= os.O_CREATE
				}
				lock := flock.New(path, flock.SetFlag(flag))
				require.NoError(t, lock.Lock())
				t.Cleanup(func() { _ = lock.Close() })
			},
		} {
			t.Run(how+" "+name, func(t *testing.T) {
				t.Parallel()
				mine := filepath.Join(t.TempDir(), "home")
				t.Cleanup(func() { // memory-when cache may still be writing
					for end := time.Now().Add(maxWait); time.Now().Before(end); {
						_ = os.RemoveAll(mine)
						time.Sleep(100 * time.Millisecond)
						if _, err := os.Lstat(mine); errors.Is(err, fs.ErrNotExist) {
							return
						}
					}
				})
				require.NoError(t, os.CopyFS(mine, os.DirFS(home)))
				block(t, filepath.Join(mine, name))
				for _, event := range repotest.Sample(events, 2, len(name)) {
					status, _ := inTime(t, dir, mine, string(input), program, event)
					require.Zero(t, status, event)
				}
				status, _ := inTime(t, dir, mine, "{", program, "Stop") // a fault
				require.Zero(t, status)
			})
		}
	}
}

// An event gets its reply although the logs are pipes, or the state or the list of what is allowed is not available.
func TestAReplyDoesNotWaitForItsState(t *testing.T) {
	program := repotest.Build(t, t.TempDir(), "whence/hooks/memory-hooks")
	dir, _ := ferry(t)
	git(t, dir, "init", "-q")
	require.NoError(t, os.WriteFile(filepath.Join(dir, config.ProjectFile), []byte("memory_turn_days: many\n"), 0o600))
	git(t, dir, "add", "-f", ".")
	input := `{"session_id":"s","source":"startup",` + payments + `}`
	home := storetest.ConsentingHome(t)
	require.NoError(t, syscall.Mkfifo(filepath.Join(home, "hooks.log"), 0o600))
	_, reply := inTime(t, dir, home, input, program, "UserPromptSubmit") // one that waited would miss this deadline too
	require.NotEmpty(t, reply)
	home = storetest.ConsentingHome(t)
	lock := flock.New(home, flock.SetFlag(os.O_RDONLY)) // which a writer of the list waits for
	require.NoError(t, lock.Lock())
	defer lock.Close()
	status, reply := inTime(t, dir, home, input, program, "SessionStart")
	require.Zero(t, status)
	require.Contains(t, reply, "whence settings: ")
}

// A worker with a fault to log ends although the log is a pipe.
func TestAWorkerDoesNotWaitForItsLog(t *testing.T) {
	program := repotest.Build(t, t.TempDir(), "whence/remember/memory-remember")
	dir, home := ferry(t)
	stops(t, dir, home, "s", "hello")
	require.NoError(t, os.WriteFile(filepath.Join(home, "memory.db"), bytes.Repeat([]byte("none "), 1000), 0o600))
	_ = os.Remove(filepath.Join(home, "hooks.log")) // no worker could be started
	require.NoError(t, syscall.Mkfifo(filepath.Join(home, "hooks.log"), 0o600))
	status, _ := inTime(t, dir, home, "", program, "capture", "--quiet", "--store", home)
	require.NotZero(t, status, "there is a fault to log")
}
