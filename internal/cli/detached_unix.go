//go:build unix

package cli

import (
	"fmt"
	"os"
	"syscall"
)

// StartDetached starts a program in a folder, with the environment that environment returns, and
// returns as soon as it runs. The child outlives this process: it has its own session (on
// Windows no console and its own process group), and its standard streams are the null
// device, so that no reader of the parent's output waits for it. A process that lives on
// calls wait in a goroutine, to leave no zombie.
func StartDetached(dir, program string, args ...string) (wait func(), err error) {
	null, err := syscall.Open(os.DevNull, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: os.DevNull, Err: err}
	}
	defer syscall.Close(null)
	// Not os.StartProcess: it first probes the kernel, which takes longer than the start.
	pid, err := syscall.ForkExec(program, append([]string{program}, args...), &syscall.ProcAttr{
		Dir:   dir,
		Env:   environment(),
		Files: []uintptr{uintptr(null), uintptr(null), uintptr(null)},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return nil, fmt.Errorf("start %s in %s: %w", program, dir, err)
	}
	return func() {
		for {
			if _, err := syscall.Wait4(pid, nil, 0, nil); err != syscall.EINTR {
				return
			}
		}
	}, nil
}
