//go:build !linux && !darwin

package corpus

import (
	"io/fs"
	"time"
)

// identity returns 0 and the modification time of a file: there is no inode number or change time.
func identity(info fs.FileInfo) (number uint64, changed time.Time) { return 0, info.ModTime() }
