package home

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"whence/internal/lazyregexp"
	"whence/internal/worktree"
)

// ourFile matches the names of the files that whence writes into the folder, including unfinished ones of a killed
// process: the store, settings, the log, locks, the states of sessions, and the lists of memory files. The folder may
// hold other files, since users may choose any folder.
var ourFile = lazyregexp.New(`^\.?(?:memory\.db(?:-wal|-shm|-journal)?|settings\.yaml|hooks\.log(?:\.1|\.lock)?|capture\.(?:next\.)?lock|claimed|` +
	`(?:sessions|memory)/\.?[0-9a-f]{24}\.json)(?:\.whence-new)?$`)

// subfolders lists the folders that whence creates in the folder.
var subfolders = []string{"sessions", "memory"}

// Files returns the slash-separated names of the files of whence in a folder, relative to it; none if the folder does
// not exist.
func Files(dir string) (ours []string, err error) {
	ours, _, err = split(dir)
	return ours, err
}

// split returns the names of the files of whence in a folder, and those of other files and folders.
func split(dir string) (ours, others []string, err error) {
	dir = worktree.Resolved(dir)
	err = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || name == dir {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case entry.IsDir() && (rel == subfolders[0] || rel == subfolders[1]):
		case entry.IsDir():
			others = append(others, rel)
			return fs.SkipDir
		case ourFile().MatchString(rel):
			ours = append(ours, rel)
		default:
			others = append(others, rel)
		}
		return nil
	})
	return ours, others, err
}

// Delete deletes the files of whence in a folder and in the user's cache, and the folder itself if nothing else is in
// it. It returns the names of the files and folders that it did not delete because they are not of whence.
func Delete(dir string) (left []string, err error) {
	ours, left, err := split(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range ours {
		if gone := root.Remove(filepath.FromSlash(name)); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	for _, name := range subfolders {
		_ = root.Remove(name) // unless others are in it
	}
	err = errors.Join(err, root.Close())
	if len(left) == 0 && err == nil {
		err = os.Remove(dir)
	}
	return left, errors.Join(err, deleteCache())
}

// deleteCache deletes the locks of folders that cannot be locked, see [worktree.LockFolder].
func deleteCache() error {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	err = os.RemoveAll(filepath.Join(cache, "whence", "locks"))
	_ = os.Remove(filepath.Join(cache, "whence")) // unless others are in it
	return err
}
