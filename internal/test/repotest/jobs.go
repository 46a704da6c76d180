package repotest

import (
	"fmt"
	"os"
	"os/exec"
)

// jobVariable names the job that a test binary does instead of running its tests.
const jobVariable = "WHENCE_TEST_JOB"

// A JobFunc runs in another process, on a folder or file.
type JobFunc func(dir string, args []string) error

// Main runs the tests of a package, or the job for which NewJob has started the test binary. It returns
// the exit status.
func Main(tests func() int, jobs map[string]JobFunc) int {
	job := jobs[os.Getenv(jobVariable)]
	if job == nil {
		return tests()
	}
	if err := job(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// NewJob returns a command that does a job in another process, which a test may kill.
func NewJob(name, dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{dir}, args...)...)
	cmd.Env = append(os.Environ(), jobVariable+"="+name)
	return cmd
}
