//go:build !unix

package files

import (
	"io/fs"
	"os"
)

// keepOwner does nothing: on this system the owner follows from the folder.
func keepOwner(*os.File, fs.FileInfo) {}

// isMine reports true: on this system a file does not name its owner in this way.
func isMine(fs.FileInfo) bool { return true }
