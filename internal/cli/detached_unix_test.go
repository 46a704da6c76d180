//go:build unix

package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/cli"
	"whence/internal/program"
)

// The test starts itself as a parent. The parent starts itself as a detached child, which reports its ids and lives
// until a file exists.

const jobVariable = "CLI_TEST_JOB"

func init() {
	jobs := map[string]func(dir string) error{"parent": parent, "detached": detached}
	job := jobs[os.Getenv(jobVariable)]
	if job == nil {
		return
	}
	if err := job(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func parent(dir string) error {
	if err := os.Setenv(jobVariable, "detached"); err != nil {
		return err
	}
	_, err := cli.StartDetached(dir, program.Path(os.Args[0]), dir)
	return err
}

func detached(dir string) error {
	in, err := os.Stdin.Stat()
	if err != nil {
		return err
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	// If standard output or error were the pipe of the test, it would read these words.
	fmt.Println("output")
	fmt.Fprintln(os.Stderr, "error")
	null, err := os.Stat(os.DevNull)
	if err != nil {
		return err
	}
	report := fmt.Sprintln(os.Getpid(), syscall.Getpgrp(), os.SameFile(in, null), here)
	if err := os.WriteFile(filepath.Join(dir, "new"), []byte(report), 0o600); err != nil {
		return err
	}
	if err := os.Rename("new", "report"); err != nil { // in its working folder
		return err
	}
	if err := barrier(filepath.Join(dir, "end")); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "ended"), nil, 0o600)
}

// barrier waits until a file exists.
func barrier(name string) error {
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); {
		if _, err := os.Stat(name); err == nil {
			return nil
		}
		time.Sleep(time.Millisecond)
	}
	return fmt.Errorf("%s did not come", name)
}

// The child shares neither pipes (the parent's output would not end before the child does) nor process group nor
// session with its parent.
func TestTheChildOutlivesItsParent(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	cmd := exec.Command(os.Args[0], dir)
	cmd.Env = append(os.Environ(), jobVariable+"=parent")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.CombinedOutput() // up to the end of the pipe, and the child lives on
	require.NoError(t, err)
	require.Empty(t, string(out))
	require.NoFileExists(t, filepath.Join(dir, "ended"))
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // its group

	require.NoError(t, barrier(filepath.Join(dir, "report")))
	src, err := os.ReadFile(filepath.Join(dir, "report"))
	require.NoError(t, err)
	var pid, group int
	var null bool
	var here string
	_, err = fmt.Sscan(string(src), &pid, &group, &null, &here)
	require.NoError(t, err)
	require.Equal(t, pid, group, "it leads no group of its own")
	require.True(t, null)
	require.Equal(t, dir, here)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "end"), nil, 0o600))
	require.NoError(t, barrier(filepath.Join(dir, "ended")))
}

func TestStartFails(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ dir, program string }{
		{dir, filepath.Join(dir, "none")},
		{filepath.Join(dir, "none"), os.Args[0]},
	} {
		_, err := cli.StartDetached(c.dir, program.Path(c.program))
		require.ErrorIs(t, err, os.ErrNotExist)
		require.ErrorContains(t, err, c.program+" in "+c.dir)
	}
}
