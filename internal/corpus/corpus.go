// Package corpus reads the memory of one repository, its index and its decision files, from any
// tree: the worktree, what is staged, an archive in a test. A decision file that cannot be read, is
// not UTF-8 text or is too large is an error.
package corpus

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sourcegraph/conc"
	"github.com/sourcegraph/conc/iter"

	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/text"
	"whence/internal/worktree"
)

// Layout says where the memory is in a tree.
type Layout struct {
	Index     string   // path of the memory index, with slashes
	Decisions []string // globs of the decision files; ** crosses folders
	Documents []string // globs of those that are one decision each
}

// Corpus is the parsed memory of a repository.
type Corpus struct {
	IndexPath    string
	Index        *index.File
	IndexMissing bool // there is no index file: Index is empty
	Decisions    []*decision.File
	Tree         fs.FS
}

// ErrNoMemory is returned for a tree that has neither an index nor decisions. A [Refusal] is one, too.
var ErrNoMemory = errors.New("no memory")

// WhyNot returns why a tree lacks a file that exists, if it knows.
func WhyNot(tree fs.FS, name string) (r Refusal, refused bool) {
	if memory, is := tree.(*Memory); is {
		return memory.WhyNot(name)
	}
	return Refusal{}, false
}

// Load reads the index and all decision files, sorted by path. A missing index is not an error.
func Load(tree fs.FS, layout Layout) (*Corpus, error) {
	m := &Corpus{IndexPath: layout.Index, Tree: tree}
	var indexErr, decisionsErr error
	var reading conc.WaitGroup
	reading.Go(func() { indexErr = m.readIndex() })
	reading.Go(func() { m.Decisions, decisionsErr = readDecisions(tree, layout) })
	reading.Wait()
	if err := cmp.Or(indexErr, decisionsErr); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *Corpus) readIndex() error {
	src, err := ReadText(m.Tree, m.IndexPath)
	m.IndexMissing = errors.Is(err, fs.ErrNotExist)
	if err != nil && !m.IndexMissing {
		return fmt.Errorf("memory index %w", err)
	}
	m.Index = index.Parse(src)
	return nil
}

// readDecisions reads and parses the decision files. Of several errors it returns that of the first
// file. Folders that a glob matches are left out; one that is named in the layout, or named like a
// decision file, is an error.
func readDecisions(tree fs.FS, layout Layout) ([]*decision.File, error) {
	paths, err := list(tree, layout)
	if err != nil {
		return nil, err
	}
	all, errs := ReadFiles(tree, layout, paths)
	for i, name := range paths {
		if errors.Is(errs[i], worktree.ErrFolder) && path.Ext(name) != ".md" && !slices.Contains(slices.Concat(layout.Decisions, layout.Documents), name) {
			errs[i] = nil
		}
	}
	if err := cmp.Or(errs...); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(f *decision.File) bool { return f == nil }), nil
}

// ReadFiles reads and parses decision files in parallel. A file that fails is nil, and its error is at the
// same place.
func ReadFiles(tree fs.FS, layout Layout, paths []string) (files []*decision.File, errs []error) {
	files, errs = make([]*decision.File, len(paths)), make([]error, len(paths))
	texts := make([][]byte, len(paths))
	iter.ForEachIdx(paths, func(i int, name *string) {
		if errs[i] = checkName(*name); errs[i] != nil {
			return
		}
		src, err := ReadText(tree, *name)
		if err != nil {
			errs[i] = fmt.Errorf("decision file %w", err)
			return
		}
		texts[i] = src
	})
	bytesLeft, linesLeft := maxMemoryBytes, maxMemoryLines
	for i, src := range texts { // a tree may not know the size of its files, and one may grow
		bytesLeft, linesLeft = bytesLeft-len(src), linesLeft-bytes.Count(src, []byte{'\n'})
		if src != nil && min(bytesLeft, linesLeft) < 0 {
			errs[i] = fmt.Errorf("decision file %s exceeds the %d MB or %d lines that a memory may have in all: %s", text.ShownPath(paths[i]), maxMemoryBytes>>20, maxMemoryLines, isBeyondRemedy)
		}
	}
	outlines := OutlinesOf(tree)
	iter.ForEachIdx(paths, func(i int, name *string) {
		if errs[i] == nil {
			files[i], errs[i] = outlines.Parse(layout, *name, texts[i])
		}
	})
	outlines.Keep()
	return files, errs
}

// Bounds of what is read of a memory, whatever a repository holds: bytes, and lines, since each takes memory however
// short it is.
const (
	maxMemoryBytes = 64 << 20
	maxMemoryLines = 150_000
	maxFileLines   = 100_000
)

// ReadText is [worktree.ReadText] for a file of a memory.
func ReadText(tree fs.FS, name string) ([]byte, error) {
	src, err := worktree.ReadText(tree, name)
	if bytes.Count(src, []byte{'\n'}) > maxFileLines {
		return nil, fmt.Errorf("%s has more than %d lines: split it", text.ShownPath(name), maxFileLines)
	}
	return src, err
}

// Parse parses a decision file, as a document if it is one. One that is nested too deeply to be parsed
// in a reasonable time is an error.
func (l Layout) Parse(path string, src []byte) (*decision.File, error) {
	parse := decision.Parse
	if l.isDocument(path) {
		parse = decision.ParseDocument
	}
	f := parse(path, src)
	if f.TooDeep > 0 {
		return nil, fmt.Errorf("decision file %s:%d is nested too deeply: flatten its lists or quotes", text.ShownPath(path), f.TooDeep)
	}
	return f, nil
}

// Paths returns the decision files, sorted: what the globs match except the index. A glob without
// wildcards names a file whether it exists or not, unless a [Memory] refuses it. ** does not follow links to folders. Files whose
// names cannot be the heading of a section, an error in Load, are left out.
func Paths(tree fs.FS, layout Layout) ([]string, error) {
	paths, err := list(tree, layout)
	return slices.DeleteFunc(paths, func(p string) bool { return checkName(p) != nil }), err
}

// list is Paths including the files whose names cannot be used.
func list(tree fs.FS, layout Layout) ([]string, error) {
	var paths []string
	search := worktree.NewGlobSearch(tree)
	for _, pattern := range slices.Concat(layout.Decisions, layout.Documents) {
		if strings.HasPrefix(pattern, exception) {
			continue
		}
		g, err := worktree.ParseGlob(pattern)
		if err != nil {
			return nil, fmt.Errorf("decision files %s: %w", text.Quoted(pattern), err)
		}
		if name, isName := g.Name(); isName {
			if _, refused := WhyNot(tree, name); !refused {
				paths = append(paths, name)
			}
			continue
		}
		found, err := search.Find(g)
		if err != nil {
			return nil, fmt.Errorf("decision files %s: %w", text.Quoted(pattern), err)
		}
		paths = append(paths, slices.DeleteFunc(found, func(p string) bool { return hidden(pattern, p) })...)
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	return slices.DeleteFunc(paths, func(p string) bool {
		return p == layout.Index || worktree.InGit(p) || layout.skips(p)
	}), nil
}

// checkName returns an error for a name that cannot be the heading of a section.
func checkName(name string) error {
	if utf8.ValidString(name) && index.IsSectionPath(name) && !strings.ContainsFunc(name, text.IsUnseen) {
		return nil
	}
	return fmt.Errorf("decision file %s has a name that cannot be the heading of a section: rename it, in UTF-8, without line breaks, control characters, and spaces at its ends", text.Quoted(name))
}

// Holds reports whether a path, from the root and with slashes, names the index or could name that
// of a decision file: the file need not exist.
func (l Layout) Holds(name string) bool {
	name = path.Clean(name)
	return name == l.Index || !worktree.InGit(name) && checkName(name) == nil && !l.skips(name) &&
		(matches(l.Decisions, name) || matches(l.Documents, name))
}

// exception begins a glob of files that are left out, whatever the other globs say.
const exception = "!"

// matches reports whether a glob names a file.
func matches(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(pattern string) bool {
		g, err := worktree.ParseGlob(pattern)
		return err == nil && g.Match(name) && !hidden(pattern, name)
	})
}

// hidden reports whether a file that a glob matches is left out, such as the lock file of an editor.
func hidden(glob, name string) bool {
	return strings.HasPrefix(path.Base(name), ".") && !strings.HasPrefix(path.Base(glob), ".")
}
