//go:build unix

package worktree

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner and group of the one that it replaces, if this process may do so. A fix run by root
// must not take a file away from its user.
func keepOwner(file *os.File, original fs.FileInfo) {
	if owner, known := original.Sys().(*syscall.Stat_t); known {
		_ = file.Chown(int(owner.Uid), int(owner.Gid))
	}
}

// isTrusted reports whether a file belongs to the user, to root, or to the owner of a folder.
func isTrusted(file fs.FileInfo, dir string) bool {
	stat, ok := file.Sys().(*syscall.Stat_t)
	if !ok || stat.Uid == 0 || int(stat.Uid) == os.Geteuid() {
		return true
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return false
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && owner.Uid == stat.Uid
}
