//go:build unix

package files

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner of the one that it replaces, if this process may: a fix run
// by root must not take the file from its user.
func keepOwner(file *os.File, original fs.FileInfo) {
	if owner, known := original.Sys().(*syscall.Stat_t); known {
		_ = file.Chown(int(owner.Uid), int(owner.Gid))
	}
}

// isMine reports whether a file belongs to the user of this process.
func isMine(info fs.FileInfo) bool {
	owner, known := info.Sys().(*syscall.Stat_t)
	return known && int(owner.Uid) == os.Geteuid()
}
