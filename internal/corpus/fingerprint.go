package corpus

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"
)

// Fingerprint tells one state of the files of a memory from another, by what their folders
// tell of them: names, sizes and times, and where the system keeps them, numbers and the
// times of the last change of any kind. No file is read.
type Fingerprint struct {
	Files   int       // number of files; 0 if there is no memory
	Changed time.Time // the latest of all times
	Sum     [sha256.Size]byte
}

// racy is how long after a change a file may change again and look the same: as long as the
// coarsest clocks of file systems take for a step.
const racy = 2 * time.Second

// Settled reports whether no file was changed so shortly before a time that it could change
// once more and have the same fingerprint.
func (f Fingerprint) Settled(now time.Time) bool { return now.Sub(f.Changed) > racy }

// TakeFingerprint takes that of the index and the decision files.
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
