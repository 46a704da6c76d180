package cli

import (
	"fmt"
	"os"
	"syscall"
)

// StartDetached starts a program in a folder; see detached_unix.go.
func StartDetached(dir, program string, args ...string) (wait func(), err error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	const noConsole, newGroup = 0x00000008, 0x00000200
	child, err := os.StartProcess(program, append([]string{program}, args...), &os.ProcAttr{
		Dir:   dir,
		Env:   environment(),
		Files: []*os.File{null, null, null},
		Sys:   &syscall.SysProcAttr{CreationFlags: noConsole | newGroup, HideWindow: true},
	})
	if err != nil {
		return nil, fmt.Errorf("start %s in %s: %w", program, dir, err)
	}
	return func() { _, _ = child.Wait() }, nil
}
