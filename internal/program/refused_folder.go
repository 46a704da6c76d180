package program

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"whence/internal/worktree"
)

// place is a folder whose programs are not run in a session: a repository may have brought them.
type place struct {
	path string
	info fs.FileInfo
}

// shared are folders of the system beside which a session may work, as in /app.
var shared = []string{"/", "/usr", "/usr/local", "/opt"}

// placesOf returns the places of a session that works in some folders: the work trees that hold them with all worktrees
// and git directories of their repositories, the folders themselves, and what lies beside a folder or its work tree, as
// an archive has it. A folder that holds the user's home, or is one of the system's, is none.
func placesOf(home string, folders []string) (places []place) {
	add := func(path string) {
		info, err := os.Stat(path)
		if err != nil || slices.ContainsFunc(places, func(p place) bool { return os.SameFile(p.info, info) }) {
			return
		}
		isShared := slices.ContainsFunc(shared, func(dir string) bool { return worktree.Same(dir, path) })
		if path != filepath.Dir(path) && !isShared && !isHeld(home, info) {
			places = append(places, place{path, info})
		}
	}
	for _, folder := range folders {
		if !filepath.IsAbs(folder) {
			continue
		}
		trees := worktree.TreesAround(folder)
		for _, tree := range trees {
			add(tree)
			for _, sibling := range worktree.Siblings(tree) {
				add(sibling)
			}
		}
		for _, at := range slices.Concat(trees[:min(len(trees), 1)], []string{folder, worktree.Resolved(folder)}) {
			add(at)
			add(filepath.Dir(at))
		}
	}
	return places
}

// isHeld reports whether a path leads through a folder, or to it. It compares files and not names, which a file system
// may take in another letter case.
func isHeld(path string, folder fs.FileInfo) bool {
	for at := path; filepath.IsAbs(at); at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && os.SameFile(info, folder) {
			return true
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
	return false
}
