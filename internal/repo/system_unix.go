//go:build unix

package repo

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"whence/internal/agent"
)

// killWithGroup gives a command a process group of its own. The whole group is killed when the context of the command
// ends.
func killWithGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// Owned reports whether a file belongs to the user, without following links. As in git, root also owns the files of the
// user who ran sudo, but not if an agent is at work: agents let a repository set variables.
func Owned(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	user := os.Geteuid()
	if user == 0 && stat.Uid != 0 && !agent.InShellTool(os.Getenv) {
		if sudo, err := strconv.Atoi(os.Getenv("SUDO_UID")); err == nil {
			user = sudo
		}
	}
	return int64(stat.Uid) == int64(user)
}
