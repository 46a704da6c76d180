//go:build unix

package pgtest

import (
	"errors"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// owner returns the user who runs the server, or nil for the current one: PostgreSQL refuses to run
// as root.
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

func startable() error {
	_, err := owner()
	return err
}

// newCaretaker returns the command that runs a server in a new folder as its owner. It has its own
// process group: an interrupt at the terminal ends only the tests. The folder is in /tmp, since the path
// of a socket must be short, and the owner must reach it.
func newCaretaker() (cmd *exec.Cmd, folder string, err error) {
	as, err := owner()
	if err != nil {
		return nil, "", err
	}
	if folder, err = os.MkdirTemp("/tmp", "pgtest-"); err != nil {
		return nil, "", err
	}
	if as != nil {
		err = os.Chown(folder, int(as.Uid), int(as.Gid))
	}
	cmd = exec.Command("/bin/sh", "-c", caretaker, "caretaker", folder)
	cmd.Dir = folder
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as, Setsid: true}
	return cmd, folder, err
}
