package repotest

import (
	"time"

	"whence/internal/cli"
)

// OS is [cli.OS] on a busy machine, which is no fault: the deadline of events has tests of its own.
func OS() cli.Env {
	env := cli.OS()
	env.Deadline = time.Minute
	return env
}
