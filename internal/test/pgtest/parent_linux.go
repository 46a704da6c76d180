package pgtest

import (
	"os/exec"
	"syscall"
)

// dieWithUs has the kernel end a child when the thread that starts it does, for the moment
// in which the caretaker does not know it yet. The thread has to live as long as the child.
func dieWithUs(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGQUIT }
