package worktree

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/bmatcuk/doublestar/v4"

	"whence/internal/inert"
	"whence/internal/lazyregexp"
)

// Bounds, since an attacker may write patterns and name files.
const (
	maxPatternBytes = 1000
	maxNameBytes    = 4096
	maxSteps        = 200_000_000 // of a search, as counted by walk: about 100,000 files for one glob
)

// Glob is a pattern for names of files. In an element between slashes, * matches any characters, ? matches
// one, [a-z] matches one of a class, and \ escapes one. The element ** matches any number of folders.
type Glob struct{ pattern string }

// withoutBraces matches patterns in which each { is escaped. Others are refused, since the library tries every
// combination of alternatives.
var withoutBraces = lazyregexp.New(`^(\\.|[^\\{])*$`)

// ParseGlob parses a pattern. Alternatives in braces are not allowed.
func ParseGlob(pattern string) (Glob, error) {
	if len(pattern) > maxPatternBytes {
		return Glob{}, fmt.Errorf("a glob of %d bytes: at most %d are allowed", len(pattern), maxPatternBytes)
	}
	pattern = path.Clean(pattern)
	if !doublestar.ValidatePattern(pattern) {
		return Glob{}, fmt.Errorf("%s is not a valid glob: check its brackets", inert.Quoted(pattern))
	}
	if !withoutBraces().MatchString(pattern) {
		return Glob{}, fmt.Errorf("%s has braces: write a glob for each alternative, or \\{ and \\} for braces in a name", inert.Quoted(pattern))
	}
	for element := range strings.SplitSeq(pattern, "/") {
		if !doublestar.ValidatePattern(element) {
			return Glob{}, fmt.Errorf("%s is not a valid glob: a class cannot hold a slash", inert.Quoted(pattern))
		}
	}
	return Glob{pattern}, nil
}

// Name returns the pattern, and whether it is a plain name without wildcards.
func (g Glob) Name() (name string, isName bool) { return g.pattern, !hasMeta(g.pattern) }

// Base returns the elements of the pattern before the first one with a wildcard: a folder, or the whole pattern.
func (g Glob) Base() string {
	elements := strings.Split(g.pattern, "/")
	if i := slices.IndexFunc(elements, hasMeta); i >= 0 {
		elements = elements[:i]
	}
	return path.Join(".", path.Join(elements...))
}

func hasMeta(text string) bool { return strings.ContainsAny(text, `*?[\`) }

// Match reports whether a name, with slashes, matches the pattern.
func (g Glob) Match(name string) bool {
	name = path.Clean(name)
	return len(name) <= maxNameBytes && doublestar.MatchUnvalidated(g.pattern, name)
}

// GlobSearch finds files in one tree. All its patterns share one budget of steps.
type GlobSearch struct {
	tree  fs.FS
	steps int
}

// NewGlobSearch returns a search of a tree.
func NewGlobSearch(tree fs.FS) *GlobSearch { return &GlobSearch{tree: tree} }

// Find returns the files, folders and links that match a pattern, sorted. It follows links to folders, except where **
// matches. A search that would take too long is an error.
func (s *GlobSearch) Find(g Glob) (found []string, err error) {
	if base := g.Base(); base != g.pattern {
		err = s.walk(g.pattern, base, &found)
	} else if _, missing := fs.Lstat(s.tree, base); missing == nil {
		found = append(found, base)
	}
	slices.Sort(found)
	return found, err
}

// walk looks for files in a folder, and in those below it that may hold matches.
func (s *GlobSearch) walk(pattern, folder string, found *[]string) error {
	if info, err := fs.Stat(s.tree, folder); err == nil && !info.IsDir() { // a file, or a link to one
		return nil
	}
	entries, err := fs.ReadDir(s.tree, folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return err
	}
	for _, entry := range entries {
		name := path.Join(folder, entry.Name())
		if s.steps += (16 + len(pattern)) * (16 + len(name)); s.steps > maxSteps {
			return errors.New("it takes too long to find the files: name their folder, as in agents/decisions/*.md, and use fewer *")
		}
		if doublestar.MatchUnvalidated(pattern, name) {
			*found = append(*found, name)
		}
		below, anyDepth := mayHold(pattern, name)
		if entry.IsDir() && below || entry.Type()&fs.ModeSymlink != 0 && below && !anyDepth {
			if err := s.walk(pattern, name, found); err != nil {
				return err
			}
		}
	}
	return nil
}

// mayHold reports whether a folder may hold matches of a pattern. AnyDepth reports whether ** matches a part of its
// name.
func mayHold(pattern, folder string) (below, anyDepth bool) {
	elements, parts := strings.Split(pattern, "/"), strings.Split(folder, "/")
	for i, element := range elements {
		if i == len(parts) {
			return true, false
		}
		if element == "**" {
			return true, true
		}
		if !doublestar.MatchUnvalidated(element, parts[i]) {
			return false, false
		}
	}
	return false, false
}
