package worktree

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"syscall"
)

// Bounds of a search.
const (
	maxVisited = 100_000    // files and folders
	maxSteps   = 60_000_000 // roughly the sum of len(element) × len(name) over all comparisons
)

// GlobSearch finds files in one tree. All its patterns share one budget.
type GlobSearch struct {
	tree           fs.FS
	visited, steps int
}

// NewGlobSearch returns a search of a tree.
func NewGlobSearch(tree fs.FS) *GlobSearch { return &GlobSearch{tree: tree} }

// Find returns the files, folders and links that match a pattern, sorted. An element other
// than ** follows links to folders. A search that would take too long is an error.
func (s *GlobSearch) Find(g Glob) (found []string, err error) {
	err = s.walk(g, ".", g.start(), &found)
	slices.Sort(found)
	return slices.Compact(found), err
}

// walk looks for files in a folder that has been matched to some positions.
func (s *GlobSearch) walk(g Glob, folder string, at positions, found *[]string) error {
	entries, err := s.entries(g, folder, at)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if s.visited++; s.visited > maxVisited {
			return fmt.Errorf("there are more than %d files to look at: name their folder, as in agents/decisions/*.md", maxVisited)
		}
		name := path.Join(folder, entry.Name())
		var next, stay positions // stay: reached by **, which follows no links
		for _, p := range at {
			elements := g.alternatives[p.alternative]
			if p.element == len(elements) {
				continue
			}
			element := elements[p.element]
			if s.steps += 16 + len(element)*len(entry.Name()); s.steps > maxSteps {
				return errors.New("it takes too long to find the files: use fewer * and braces")
			}
			switch {
			case element == "**":
				stay = stay.add(g, p)
			case matchElement(element, entry.Name()):
				next = next.add(g, position{p.alternative, p.element + 1})
			}
		}
		if next.accepted(g) || stay.accepted(g) {
			*found = append(*found, name)
		}
		switch {
		case entry.IsDir():
			next = next.with(stay)
		case entry.Type()&fs.ModeSymlink == 0:
			continue
		}
		if next.goesOn(g) {
			if err := s.walk(g, name, next, found); err != nil {
				return err
			}
		}
	}
	return nil
}

// goesOn reports whether an alternative has elements left to match.
func (all positions) goesOn(g Glob) bool {
	return slices.ContainsFunc(all, func(s position) bool { return s.element < len(g.alternatives[s.alternative]) })
}

// entries lists a folder: all of it, or if no next element has a wildcard, only the names
// looked for. A folder that does not exist is empty.
func (s *GlobSearch) entries(g Glob, folder string, at positions) ([]fs.DirEntry, error) {
	var names []string
	for _, p := range at {
		if elements := g.alternatives[p.alternative]; p.element < len(elements) {
			if hasMeta(elements[p.element]) {
				entries, err := fs.ReadDir(s.tree, folder)
				return entries, ignoreMissing(err)
			}
			names = append(names, elements[p.element])
		}
	}
	slices.Sort(names)
	var entries []fs.DirEntry
	for _, name := range slices.Compact(names) {
		info, err := fs.Lstat(s.tree, path.Join(folder, name))
		if err == nil {
			entries = append(entries, fs.FileInfoToDirEntry(info))
		} else if ignoreMissing(err) != nil {
			return nil, err
		}
	}
	return entries, nil
}

// ignoreMissing drops the error of a folder that does not exist.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return err
}
