package corpus

import (
	"io/fs"
	"syscall"
	"time"
)

// identity is the number of a file, and when it was changed in any way: unlike the time
// of its text, no program can set it back.
func identity(info fs.FileInfo) (number uint64, changed time.Time) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Ino, time.Unix(s.Ctim.Unix())
	}
	return 0, info.ModTime()
}
