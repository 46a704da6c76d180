package files

import (
	"io"
	"io/fs"
)

// ReadBeginning returns the first bytes of a regular file, at most maxBytes; "" if it cannot be read.
// It opens neither pipes nor devices, which could block.
func ReadBeginning(tree fs.FS, name string, maxBytes int64) string {
	if info, err := fs.Stat(tree, name); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	file, err := tree.Open(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	src, _ := io.ReadAll(io.LimitReader(file, maxBytes))
	return string(src)
}
