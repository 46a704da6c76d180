package corpus

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// Fingerprint identifies the state of the files of a memory by their names, sizes and times. No
// file is read.
type Fingerprint struct {
	Files int // number of files; 0 if there is no memory
	Sum   [sha256.Size]byte
}

// TakeFingerprint returns the fingerprint of the index and the decision files.
func TakeFingerprint(tree fs.FS, layout Layout) (f Fingerprint, err error) {
	paths, err := Paths(tree, layout)
	if err != nil {
		return f, err
	}
	sum := sha256.New()
	for _, path := range slices.Concat(paths, []string{layout.Index}) {
		info, err := fs.Stat(tree, path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return f, err
		}
		f.Files++
		fmt.Fprintf(sum, "%s\x00%d %d\x00", path, info.Size(), info.ModTime().UnixNano())
	}
	sum.Sum(f.Sum[:0])
	return f, nil
}
