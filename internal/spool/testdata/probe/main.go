// Probe is a hook that does nothing but what its argument says: add a job to a spool, and
// start a worker for it.
package main

import (
	"context"
	"io"
	"os"

	"whence/internal/spool"
)

func main() {
	if os.Args[1] == "work" {
		_, _ = spool.Drain(context.Background(), os.Args[2], func(string, []byte) error { return nil })
		return
	}
	job, err := io.ReadAll(os.Stdin)
	if err == nil && os.Args[1] != "nothing" {
		err = spool.Add(os.Args[2], "session", job)
	}
	if err == nil && os.Args[1] == "start" {
		err = start(os.Args[2])
	}
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
}

func start(dir string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return spool.Start(dir, self, "work", dir)
}
