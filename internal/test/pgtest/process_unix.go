//go:build unix

package pgtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// startable is nil where a server can be started.
func startable() error {
	_, err := owner()
	return err
}

// owner is who runs the server, or nil for ourselves: PostgreSQL refuses to run as root.
func owner() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, errors.Join(uidErr, gidErr)
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody")
}

// newFolder makes the folder of a server. Its path is short, since it holds a socket, and
// another user may come to it.
func newFolder() (string, error) {
	as, err := owner()
	if err != nil {
		return "", err
	}
	parent := os.TempDir()
	if as != nil || len(parent) > 60 {
		parent = "/tmp"
	}
	folder, err := os.MkdirTemp(parent, "pgtest-")
	if err != nil || as == nil {
		return folder, err
	}
	return folder, os.Chown(folder, int(as.Uid), int(as.Gid))
}

// asOwner makes a command run as the owner of the server, in its folder and apart from our
// process group: an interrupt at the terminal is for the tests, which then end.
func asOwner(cmd *exec.Cmd, folder string) error {
	as, err := owner()
	if err != nil {
		return err
	}
	cmd.Dir = folder
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as, Setsid: true}
	return nil
}

// newCaretaker starts the process that outlives us, to stop the server and remove its
// folder. It reads the process id of the server on its standard input.
func newCaretaker(folder string) *exec.Cmd {
	return exec.Command("/bin/sh", "-c", caretaker, "caretaker", folder)
}

// quit stops a server immediately (it recovers at its next start); finish stops it as usual,
// without waiting for its clients.
func quit(server *os.Process) error   { return server.Signal(syscall.SIGQUIT) }
func finish(server *os.Process) error { return server.Signal(syscall.SIGINT) }

// killAll kills a process and its children. It is stopped first, so that no child comes
// after they were counted.
func killAll(pid int) error {
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		return err
	}
	children, err := childrenOf(pid)
	for _, process := range append(children, pid) {
		// A child may have ended by itself.
		if killErr := syscall.Kill(process, syscall.SIGKILL); killErr != nil && killErr != syscall.ESRCH {
			err = errors.Join(err, killErr)
		}
	}
	return err
}

// childrenOf asks /proc, or ps where there is none.
func childrenOf(parent int) (children []int, err error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	var table strings.Builder
	for _, name := range stats {
		stat, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		// pid (name) state parent …, and a name may hold anything.
		_, rest, _ := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')')+1:]), " ")
		if fields := strings.Fields(rest); len(fields) > 1 {
			fmt.Fprintln(&table, filepath.Base(filepath.Dir(name)), fields[1])
		}
	}
	if len(stats) == 0 {
		out, err := exec.Command("ps", "-A", "-o", "pid=", "-o", "ppid=").Output()
		if err != nil {
			return nil, fmt.Errorf("list processes: %w", err)
		}
		table.Write(out)
	}
	for line := range strings.Lines(table.String()) {
		var pid, of int
		if _, err := fmt.Sscan(line, &pid, &of); err == nil && of == parent {
			children = append(children, pid)
		}
	}
	return children, nil
}
