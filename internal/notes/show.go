package notes

import (
	"errors"
	"strings"

	"whence/internal/text"
)

// Kinds are the kinds of notes that can be shown.
var Kinds = []string{"context", "findings", "decisions", "errors"}

// Show returns a note as it is written, with control characters escaped; "" if there is none.
// The kind is one of [Kinds].
func Show(root, kind string) (string, error) {
	if !Present(root) {
		return "", nil
	}
	f, err := openFolder(root)
	if err != nil {
		return "", err
	}
	defer f.Close()
	name := kind + ".md"
	if kind == "errors" {
		name = errorsFile
	}
	src, err := f.read(name)
	return text.PrintableLines(strings.TrimSpace(string(src))), err
}

// written are the files of this package.
var written = []string{contextFile, findingsFile, decisionsFile, errorsFile, errorsFile + ".1", sessionFile, sessionFile + ".bad"}

// Clean removes the files of this package, and returns their paths from the root of the project. Other
// files stay. If dry is set, nothing is removed.
func Clean(root string, dry bool) (paths []string, err error) {
	if !Present(root) {
		return nil, nil
	}
	f, err := openFolder(root)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for _, name := range written {
		if _, err := f.notes.Lstat(name); err != nil {
			continue
		}
		if !dry {
			if err := f.notes.Remove(name); err != nil {
				return paths, err
			}
		}
		paths = append(paths, in(name))
	}
	return paths, nil
}
