package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// Fingerprint identifies the state of the index and the decision files by their names, sizes and times. It is ""
// if there are none. No file is read.
func Fingerprint(tree fs.FS, layout Layout) (string, error) {
	paths, err := Paths(tree, layout)
	if err != nil {
		return "", err
	}
	var files []string
	for _, path := range slices.Concat(paths, []string{layout.Index}) {
		info, err := fs.Stat(tree, path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		files = append(files, path, fmt.Sprint(info.Size()), fmt.Sprint(info.ModTime().UnixNano()))
	}
	if len(files) == 0 {
		return "", nil
	}
	return hash(files...)[:24], nil
}
