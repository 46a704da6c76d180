//go:build !unix

package files

import (
	"io/fs"
	"os"
)

// keepOwner does nothing: on this system the owner follows from the folder.
func keepOwner(*os.File, fs.FileInfo) {}
