//go:build unix

package repo

import (
	"os/exec"
	"syscall"
)

// killWithGroup gives a command a process group of its own, which is killed as a whole when
// the context of the command ends.
func killWithGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
