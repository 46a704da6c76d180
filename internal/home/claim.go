package home

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"whence/internal/worktree"
)

// markerName is the file that marks a folder as one that the user has chosen. It holds what
// identifies the folder, so that a marker copied from elsewhere, as out of an archive, is not valid.
const markerName = "claimed"

// isClaimed reports whether a folder belongs to the user and holds its marker.
func isClaimed(dir string) bool {
	want, err := marker(dir)
	if err != nil {
		return false
	}
	src, err := os.ReadFile(filepath.Join(dir, markerName))
	return err == nil && string(src) == want
}

// claim makes a folder, if it is missing, and its marker.
func claim(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	text, err := marker(dir)
	if err != nil {
		return err
	}
	return worktree.WritePrivate(filepath.Join(dir, markerName), []byte(text))
}

// marker returns the text of a folder's marker; an error if the folder belongs to someone else.
func marker(dir string) (string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", errors.New("it is not a folder")
	}
	number, own := identify(info)
	if !own {
		return "", errors.New("it belongs to someone else: name a folder of your own")
	}
	return fmt.Sprintf("%s\n%d\n", dir, number), nil
}
