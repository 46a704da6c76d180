package corpus

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"
)

// Fingerprint identifies the state of the files of a memory by their names, sizes and times, and if
// the system has them, inode numbers and change times. No file is read.
type Fingerprint struct {
	Files   int       // number of files; 0 if there is no memory
	Changed time.Time // the latest modification or change
	Sum     [sha256.Size]byte
}

// clockStep is how long after a change a file may change again and look the same: the step of the
// coarsest clocks of file systems.
const clockStep = 2 * time.Second

// Settled reports whether any change after now changes the fingerprint: no file was changed so
// recently that another change could have the same time.
func (f Fingerprint) Settled(now time.Time) bool { return now.Sub(f.Changed) > clockStep }

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
		number, changed := identity(info)
		for _, at := range []time.Time{info.ModTime(), changed} {
			if at.After(f.Changed) {
				f.Changed = at
			}
		}
		fmt.Fprintf(sum, "%s\x00%d %d %d %d\x00", path, info.Size(), info.ModTime().UnixNano(), number, changed.UnixNano())
	}
	sum.Sum(f.Sum[:0])
	return f, nil
}
