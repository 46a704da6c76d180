package remember

import "syscall"

// detached has a process outlive the console in which it was started, and show none.
func detached() *syscall.SysProcAttr {
	const newGroup, noWindow = 0x00000200, 0x08000000
	return &syscall.SysProcAttr{CreationFlags: newGroup | noWindow, HideWindow: true}
}
