//go:build unix

package home

import (
	"io/fs"
	"os"
	"syscall"
)

// identify returns the inode number of a folder, and whether it belongs to the user.
func identify(info fs.FileInfo) (number uint64, own bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return uint64(stat.Ino), int64(stat.Uid) == int64(os.Geteuid())
}
