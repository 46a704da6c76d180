package turns_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"whence/internal/turns"
)

// The test binary is also the other processes: workers on the folder that is the argument,
// once or until they are killed.
const jobVariable = "INGEST_TEST_JOB"

func TestMain(m *testing.M) {
	job := os.Getenv(jobVariable)
	if job == "" {
		os.Exit(m.Run())
	}
	for {
		_, err := turns.Work(context.Background(), os.Args[1], os.Getenv)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if job == "once" {
			return
		}
	}
}

// worker is another process.
func worker(job, home string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], home)
	cmd.Env = append(os.Environ(), jobVariable+"="+job)
	return cmd
}
