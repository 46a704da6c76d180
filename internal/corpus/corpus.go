// Package corpus reads the memory of one repository, its index and its decision
// files, from any tree: the worktree, what is staged, an archive in a test.
//
// Nothing is skipped silently. A decision file that cannot be read, that
// is not UTF-8 text or that is too large is an error that names it.
package corpus

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"whence/internal/decision"
	"whence/internal/files"
	"whence/internal/index"
	"whence/internal/parallel"
	"whence/internal/text"
	"whence/internal/worktree"
)

// Layout says where in a tree the memory lies.
type Layout struct {
	Index     string   // path of the memory index, with slashes
	Decisions []string // globs of the decision files; ** crosses folders
}

// Corpus is the parsed memory of a repository.
type Corpus struct {
	IndexPath    string
	Index        *index.File
	IndexMissing bool // there is no index file; Index is empty
	Decisions    []*decision.File
	Tree         fs.FS
}

// HistoryFS is a tree that knows what the headings of a decision file were called.
type HistoryFS interface {
	fs.FS
	// RenamedHeadings maps title keys of the past to later ones, of the past or of
	// today. It is empty where nothing is known.
	RenamedHeadings(path string) map[string]string
}

// MergeFS is a tree that knows what a file was before both sides of an unfinished merge.
type MergeFS interface {
	fs.FS
	// MergeBase returns that text; known is false where there is no such merge.
	MergeBase(path string) (src []byte, known bool)
}

// Load reads the index and all decision files, sorted by path. A missing index
// is not an error.
func Load(tree fs.FS, layout Layout) (*Corpus, error) {
	m := &Corpus{IndexPath: layout.Index, Tree: tree}
	var indexErr, decisionsErr error
	parallel.Do(
		func() { indexErr = m.readIndex() },
		func() { m.Decisions, decisionsErr = readDecisions(tree, layout) },
	)
	if err := cmp.Or(indexErr, decisionsErr); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *Corpus) readIndex() error {
	src, err := files.ReadText(m.Tree, m.IndexPath)
	m.IndexMissing = errors.Is(err, fs.ErrNotExist)
	if err != nil && !m.IndexMissing {
		return fmt.Errorf("memory index %w", err)
	}
	m.Index = index.Parse(src)
	return nil
}

// readDecisions reads and parses the decision files side by side. Of several errors it
// returns that of the first file. Folders that a glob matches besides are left out, but
// one that is named, or named like a decision file, is an error.
func readDecisions(tree fs.FS, layout Layout) ([]*decision.File, error) {
	paths, err := list(tree, layout)
	if err != nil {
		return nil, err
	}
	for _, name := range paths {
		if err := checkName(name); err != nil {
			return nil, err
		}
	}
	all := make([]*decision.File, len(paths))
	errs := make([]error, len(paths))
	parallel.For(len(paths), func(i int) {
		src, err := files.ReadText(tree, paths[i])
		switch {
		case errors.Is(err, files.ErrFolder) && path.Ext(paths[i]) != ".md" && !slices.Contains(layout.Decisions, paths[i]):
		case err != nil:
			errs[i] = fmt.Errorf("decision file %w", err)
		default:
			all[i], errs[i] = Parse(paths[i], src)
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(all, func(f *decision.File) bool { return f == nil }), nil
}

// Parse parses a decision file, unless it is nested too deeply to be parsed in any
// reasonable time.
func Parse(path string, src []byte) (*decision.File, error) {
	if line := decision.TooDeep(src); line > 0 {
		return nil, fmt.Errorf("decision file %s:%d is nested too deeply: flatten its lists or quotes", path, line)
	}
	return decision.Parse(path, src), nil
}

// Paths lists the decision files, sorted: what the globs match except the index. A glob
// without wildcards is the name of a file, which then has to be there. Links to
// folders are not followed by **. A file whose name cannot be written as the heading of a
// section is left out: Load says so.
func Paths(tree fs.FS, layout Layout) ([]string, error) {
	paths, err := list(tree, layout)
	return slices.DeleteFunc(paths, func(p string) bool { return checkName(p) != nil }), err
}

// list is Paths with the files whose names cannot be used.
func list(tree fs.FS, layout Layout) ([]string, error) {
	var paths []string
	search := worktree.NewGlobSearch(tree)
	for _, pattern := range layout.Decisions {
		g, err := worktree.ParseGlob(pattern)
		if err != nil {
			return nil, fmt.Errorf("decision files %s: %w", pattern, err)
		}
		if name, isName := g.Name(); isName {
			paths = append(paths, name)
			continue
		}
		found, err := search.Find(g)
		if err != nil {
			return nil, fmt.Errorf("decision files %s: %w", pattern, err)
		}
		paths = append(paths, slices.DeleteFunc(found, func(p string) bool { return hidden(pattern, p) })...)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	return slices.DeleteFunc(paths, func(p string) bool { return p == layout.Index || worktree.InGit(p) }), nil
}

// checkName returns an error for a file whose name cannot be used: its section in the
// index could not be found again by it.
func checkName(name string) error {
	if index.IsSectionPath(name) && !strings.ContainsFunc(name, text.IsUnseen) {
		return nil
	}
	return fmt.Errorf("decision file %s has a name that cannot be the heading of a section: rename it, without line breaks, control characters, and spaces at its ends", strconv.Quote(name))
}

// Holds reports whether a path, from the root and with slashes, is that of the index or of a
// decision file, as Paths lists them; whether there is such a file does not matter.
func (l Layout) Holds(name string) bool {
	name = path.Clean(name)
	return name == l.Index || !worktree.InGit(name) && checkName(name) == nil && slices.ContainsFunc(l.Decisions, func(pattern string) bool {
		g, err := worktree.ParseGlob(pattern)
		return err == nil && g.Match(name) && !hidden(pattern, name)
	})
}

// hidden reports whether a file that a glob matches is left out all the same: a lock file of
// an editor, and the like.
func hidden(glob, name string) bool {
	return strings.HasPrefix(path.Base(name), ".") && !strings.HasPrefix(path.Base(glob), ".")
}
