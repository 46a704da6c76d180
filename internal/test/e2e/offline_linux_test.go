package e2e

import (
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"unsafe"
)

// offline is how a process is started in a network of its own, in which there is nothing. Where the system does not
// allow that, agents are tried all the same: their settings forbid them to call home, and their keys are worth nothing.
func offline(t *testing.T) *syscall.SysProcAttr {
	t.Helper()
	attributes := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET}
	if os.Getuid() != 0 { // root in a namespace of its own
		attributes.Cloneflags |= syscall.CLONE_NEWUSER
		attributes.UidMappings = []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}
		attributes.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	try := exec.Command("true")
	try.SysProcAttr = attributes
	if err := try.Run(); err != nil {
		t.Logf("with the network of this machine, as it allows none of its own: %v", err)
		return nil
	}
	return attributes
}

// loopback brings up the loopback interface, which is down in a new network.
func loopback() error {
	lo, err := net.InterfaceByName("lo")
	if err != nil || lo.Flags&net.FlagUp != 0 {
		return err
	}
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(socket)
	request := struct { // ifreq
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}{flags: syscall.IFF_UP}
	copy(request.name[:], lo.Name)
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(socket), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request))); errno != 0 {
		return errno
	}
	return nil
}
