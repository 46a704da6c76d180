package capture_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"whence/internal/agent"
	"whence/internal/capture"
	"whence/internal/program"
	"whence/internal/test/repotest"
)

// Workers write their process ids into the file that the variable names.
const pidsVariable = "CAPTURE_TEST_PIDS"

func TestMain(m *testing.M) {
	os.Exit(repotest.Main(m.Run, map[string]repotest.JobFunc{
		"event": func(home string, args []string) error {
			if home == "capture" { // the worker that an event has started: --quiet --store DIR
				return worker(args[2])
			}
			return event(home, args[0], os.Args[0])
		},
		"worker": func(home string, _ []string) error { return worker(home) },
	}))
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
	_, err := capture.Work(context.Background(), home, os.Getenv, nil)
	return err
}

// event registers a transcript and starts a worker, as the hook of an event does.
func event(dir, transcript, worker string) error {
	err := register(dir, transcript, time.Now())
	return errors.Join(err, capture.Start(dir, program.Path(worker)))
}

// register registers a transcript for an event at some time.
func register(home, transcript string, at time.Time) error {
	e := agent.Event{Session: "event", Cwd: os.TempDir(), Transcript: transcript}
	return capture.Register(context.Background(), home, e, capture.Rules{Folder: os.TempDir(), Project: "/shop", Capture: true}, at)
}
