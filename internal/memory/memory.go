// Package memory reads the memory of one repository, its index and its decision
// files, from any tree: the worktree, what is staged, an archive in a test.
//
// Nothing is passed over in silence. A decision file that cannot be read, that
// is no UTF-8 text or that is larger than MaxSize is an error which names it.
package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/bmatcuk/doublestar/v4"

	"whence/internal/decision"
	"whence/internal/index"
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

// Load reads the index and all decision files, sorted by path. A missing index
// is no error.
func Load(tree fs.FS, layout Layout) (*Memory, error) {
	m := &Memory{IndexPath: layout.Index, Tree: tree}
	src, err := ReadText(tree, layout.Index)
	m.IndexMissing = errors.Is(err, fs.ErrNotExist)
	if err != nil && !m.IndexMissing {
		return nil, fmt.Errorf("memory index %w", err)
	}
	m.Index = index.Parse(src)
	paths, err := decisionPaths(tree, layout)
	if err != nil {
		return nil, err
	}
	m.Decisions, err = readDecisions(tree, paths)
	return m, err
}

// readDecisions reads and parses files, as many at a time as there are processors.
// Of several errors it returns that of the first file.
func readDecisions(tree fs.FS, paths []string) ([]*decision.File, error) {
	files := make([]*decision.File, len(paths))
	errs := make([]error, len(paths))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(paths)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(paths)); i = next.Add(1) - 1 {
				src, err := ReadText(tree, paths[i])
				if err != nil {
					errs[i] = fmt.Errorf("decision file %w", err)
					continue
				}
				files[i] = decision.Parse(paths[i], src)
			}
		})
	}
	workers.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// decisionPaths lists the files that the globs match, without the index.
func decisionPaths(tree fs.FS, layout Layout) ([]string, error) {
	var paths []string
	for _, glob := range layout.Decisions {
		found, err := doublestar.Glob(tree, path.Clean(glob), doublestar.WithFailOnIOErrors())
		if err != nil {
			return nil, fmt.Errorf("decision files %s: %w", glob, err)
		}
		paths = append(paths, found...)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	return slices.DeleteFunc(paths, func(p string) bool { return p == layout.Index }), nil
}
