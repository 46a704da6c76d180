package cli

import "syscall"

func detached() *syscall.SysProcAttr {
	const noConsole, newGroup = 0x00000008, 0x00000200
	return &syscall.SysProcAttr{CreationFlags: noConsole | newGroup, HideWindow: true}
}
