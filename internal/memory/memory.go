// Package memory reads the memory of one repository, its index and its decision
// files, from any tree: the worktree, what is staged, an archive in a test.
//
// Nothing is passed over in silence. A decision file that cannot be read, that
// is no UTF-8 text or that is too large is an error which names it.
package memory

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/parallel"
	"whence/internal/textfile"
)

// Layout says where in a tree the memory lies.
type Layout struct {
	Index     string   // path of the memory index, with slashes
	Decisions []string // globs of the decision files; ** crosses folders
}

// Memory is the parsed memory of a repository.
type Memory struct {
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

// Load reads the index and all decision files, sorted by path. A missing index
// is no error.
func Load(tree fs.FS, layout Layout) (*Memory, error) {
	m := &Memory{IndexPath: layout.Index, Tree: tree}
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

func (m *Memory) readIndex() error {
	src, err := textfile.Read(m.Tree, m.IndexPath)
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
	paths, err := Paths(tree, layout)
	if err != nil {
		return nil, err
	}
	files := make([]*decision.File, len(paths))
	errs := make([]error, len(paths))
	parallel.For(len(paths), func(i int) {
		src, err := textfile.Read(tree, paths[i])
		switch {
		case errors.Is(err, textfile.ErrFolder) && path.Ext(paths[i]) != ".md" && !slices.Contains(layout.Decisions, paths[i]):
		case err != nil:
			errs[i] = fmt.Errorf("decision file %w", err)
		default:
			files[i], errs[i] = Parse(paths[i], src)
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(files, func(f *decision.File) bool { return f == nil }), nil
}

// Parse parses a decision file, unless it is nested too deeply to be parsed in any
// reasonable time.
func Parse(path string, src []byte) (*decision.File, error) {
	if line := decision.TooDeep(src); line > 0 {
		return nil, fmt.Errorf("decision file %s:%d is nested too deeply: flatten its lists or quotes", path, line)
	}
	return decision.Parse(path, src), nil
}

// Paths lists the decision files, sorted: what the globs match but the index. A glob
// without wildcards is the name of a file, which then has to be there. Links to
// folders are not followed by **.
func Paths(tree fs.FS, layout Layout) ([]string, error) {
	var paths []string
	for _, glob := range layout.Decisions {
		if name, isName := plainName(glob); isName {
			paths = append(paths, name)
			continue
		}
		found, err := doublestar.Glob(tree, path.Clean(glob), doublestar.WithFailOnIOErrors(), doublestar.WithNoFollow())
		if err != nil {
			return nil, fmt.Errorf("decision files %s: %w", glob, err)
		}
		paths = append(paths, slices.DeleteFunc(found, func(p string) bool { return hidden(glob, p) })...)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	return slices.DeleteFunc(paths, func(p string) bool { return p == layout.Index }), nil
}

// Holds tells whether a path, from the root and with slashes, is that of the index or of a
// decision file, as Paths lists them; whether there is such a file does not matter.
func (l Layout) Holds(name string) bool {
	name = path.Clean(name)
	return name == l.Index || slices.ContainsFunc(l.Decisions, func(glob string) bool {
		if plain, isName := plainName(glob); isName {
			return plain == name
		}
		matches, err := doublestar.Match(path.Clean(glob), name)
		return err == nil && matches && !hidden(glob, name)
	})
}

// plainName is the file that a glob without wildcards names.
func plainName(glob string) (name string, isName bool) {
	base, pattern := doublestar.SplitPattern(glob)
	return path.Join(base, pattern), !strings.ContainsAny(pattern, `*?[{\`)
}

// hidden tells whether a file that a glob matches is left out all the same: a lock file of
// an editor, and the like.
func hidden(glob, name string) bool {
	return strings.HasPrefix(path.Base(name), ".") && !strings.HasPrefix(path.Base(glob), ".")
}
