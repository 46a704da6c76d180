package corpus

import (
	"io/fs"
	"syscall"
	"time"
)

// identity returns the inode number and the change time of a file, which unlike its modification
// time no program can set back.
func identity(info fs.FileInfo) (number uint64, changed time.Time) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Ino, time.Unix(s.Ctim.Unix())
	}
	return 0, info.ModTime()
}
