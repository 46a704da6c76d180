package capture_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"whence/internal/agent"
	"whence/internal/capture"
)

// The test binary is also the other processes: with the variable it runs the function that it names;
// started as a worker, it is one. Workers write their process ids into the file that the other variable
// names.
const (
	jobVariable  = "CAPTURE_TEST_JOB"
	pidsVariable = "CAPTURE_TEST_PIDS"
)

var jobs = map[string]func(dir string, args []string) error{
	"event":  func(home string, args []string) error { return event(home, args[0], os.Args[0]) },
	"worker": func(home string, _ []string) error { return worker(home) },
}

func TestMain(m *testing.M) {
	if os.Getenv(jobVariable) == "" {
		os.Exit(m.Run())
	}
	var err error
	if os.Args[1] == "capture" { // --quiet --store DIR
		err = worker(os.Args[4])
	} else {
		err = jobs[os.Getenv(jobVariable)](os.Args[1], os.Args[2:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// child is another process.
func child(job, dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{dir}, args...)...)
	cmd.Env = append(os.Environ(), jobVariable+"="+job)
	return cmd
}

func worker(home string) error {
	if name := os.Getenv(pidsVariable); name != "" {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(f, os.Getpid())
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	_, err := capture.Work(context.Background(), home, os.Getenv)
	return err
}

// event registers a transcript and starts a worker, as the hook of an event does.
func event(home, transcript, program string) error {
	err := register(home, transcript, time.Now())
	return errors.Join(err, capture.Start(home, program))
}

// register registers a transcript for an event at some time.
func register(home, transcript string, at time.Time) error {
	e := agent.Event{Session: "event", Cwd: os.TempDir(), Transcript: transcript}
	return capture.Register(context.Background(), home, e, capture.Rules{Project: "/shop", Capture: true}, at)
}
