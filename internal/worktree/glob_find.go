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
	maxSteps   = 60_000_000 // about bytes of elements × bytes of names that are compared
)

// GlobSearch counts what is done for the patterns of one tree.
type GlobSearch struct {
	tree           fs.FS
	visited, steps int
}

// NewGlobSearch begins a search in a tree.
func NewGlobSearch(tree fs.FS) *GlobSearch { return &GlobSearch{tree: tree} }

// Find returns the files, folders and links that a pattern stands for. Links to folders
// are followed where an element names them, not by **. A search that would take too long
// is an error.
func (s *GlobSearch) Find(g Glob) (found []string, err error) {
	var at states
	for alternative := range g.alternatives {
		at = at.add(g, state{alternative, 0})
	}
	err = s.walk(g, ".", at, &found)
	slices.Sort(found)
	return slices.Compact(found), err
}

// walk looks for what a pattern stands for in a folder, from several places in it.
func (s *GlobSearch) walk(g Glob, folder string, at states, found *[]string) error {
	entries, err := s.entries(g, folder, at)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if s.visited++; s.visited > maxVisited {
			return fmt.Errorf("there are more than %d files to look at: name their folder, as in agents/decisions/*.md", maxVisited)
		}
		name := path.Join(folder, entry.Name())
		var next, stay states // stay: by **, which follows no links
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
			case matches(element, entry.Name()):
				next = next.add(g, state{p.alternative, p.element + 1})
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

// goesOn reports whether one of the places has something behind it.
func (all states) goesOn(g Glob) bool {
	return slices.ContainsFunc(all, func(s state) bool { return s.element < len(g.alternatives[s.alternative]) })
}

// entries are those of a folder that may be meant: all of them, or if all that is looked
// for has a name, those of these names. What is missing, or no folder, has none.
func (s *GlobSearch) entries(g Glob, folder string, at states) ([]fs.DirEntry, error) {
	var names []string
	for _, p := range at {
		if elements := g.alternatives[p.alternative]; p.element < len(elements) {
			if hasMeta(elements[p.element]) {
				entries, err := fs.ReadDir(s.tree, folder)
				return entries, present(err)
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
		} else if present(err) != nil {
			return nil, err
		}
	}
	return entries, nil
}

// present drops an error that says that there is no such folder.
func present(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return err
}
