//go:build unix

package remember

import "syscall"

// detached has a process outlive the terminal in which it was started.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
