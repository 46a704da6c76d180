package program

import (
	"io/fs"
	"iter"
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
	harmless := slices.Collect(foldersOf(home))
	for _, dir := range shared {
		if info, err := os.Stat(dir); err == nil {
			harmless = append(harmless, info)
		}
	}
	add := func(path string) {
		info, err := os.Stat(path)
		if err != nil || path == filepath.Dir(path) {
			return
		}
		isThis := func(other fs.FileInfo) bool { return os.SameFile(other, info) }
		if !slices.ContainsFunc(harmless, isThis) && !slices.ContainsFunc(places, func(p place) bool { return isThis(p.info) }) {
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

// foldersOf yields what is at a path, and each folder that leads there, innermost first: files are compared and not names,
// which a file system may take in another letter case.
func foldersOf(path string) iter.Seq[fs.FileInfo] {
	return func(yield func(fs.FileInfo) bool) {
		for at := path; filepath.IsAbs(at); at = filepath.Dir(at) {
			if info, err := os.Stat(at); err == nil && !yield(info) {
				return
			}
			if at == filepath.Dir(at) {
				return
			}
		}
	}
}
