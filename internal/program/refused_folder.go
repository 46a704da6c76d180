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

// shared lists system folders that a session may work directly below, as in /app. They are not refused.
var shared = []string{"/", "/usr", "/usr/local", "/opt"}

// placesOf returns the places of a session that works in some folders: the work trees that hold them, with all
// worktrees and git directories of their repositories; the folders themselves; and the parents of each folder and of
// its innermost work tree, since an archive may bring siblings. Shared folders and those that hold the user's home are
// excluded.
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

// foldersOf yields the file at a path and each folder above it, innermost first. Callers compare files, not names,
// since a file system may ignore letter case.
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
