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

	"whence/internal/text"
)

// MaxAlternatives is the number of patterns that the braces of a glob may expand to.
const MaxAlternatives = 64

// Bounds of what an attacker may write.
const (
	maxPatternBytes = 1000
	maxNameBytes    = 4096
	maxSteps        = 200_000_000 // of a search, as Find counts them: some 100,000 files for one glob
)

// Glob is a pattern for names of files. Its braces are expanded, then it is split at its
// slashes. In an element, * matches any characters, ? matches one, [a-z] matches one of a
// class, and \ escapes one. The element ** matches any number of folders.
type Glob struct {
	text     string
	patterns []string // without braces
}

// ParseGlob parses a pattern.
func ParseGlob(pattern string) (Glob, error) {
	if len(pattern) > maxPatternBytes {
		return Glob{}, fmt.Errorf("a glob of %d bytes: at most %d are allowed", len(pattern), maxPatternBytes)
	}
	pattern = path.Clean(pattern)
	if !doublestar.ValidatePattern(pattern) {
		return Glob{}, fmt.Errorf("%s is not a valid glob: check its brackets and braces", text.Quoted(pattern))
	}
	patterns, err := expand(pattern)
	if err != nil {
		return Glob{}, fmt.Errorf("%s %w", text.Quoted(pattern), err)
	}
	for i, expanded := range patterns {
		patterns[i] = path.Clean(expanded)
		for element := range strings.SplitSeq(patterns[i], "/") {
			if !doublestar.ValidatePattern(element) {
				return Glob{}, fmt.Errorf("%s is not a valid glob: a class cannot hold a slash", text.Quoted(pattern))
			}
		}
	}
	return Glob{pattern, patterns}, nil
}

// Name returns the pattern, and whether it is a plain name without wildcards and braces.
func (g Glob) Name() (name string, isName bool) {
	return g.text, !hasMeta(g.text) && !strings.Contains(g.text, "{")
}

// Patterns returns the patterns that the braces expand to.
func (g Glob) Patterns() []string { return g.patterns }

// Bases returns the folders, or names, that the patterns have before their first wildcard.
func (g Glob) Bases() (bases []string) {
	for _, pattern := range g.patterns {
		bases = append(bases, baseOf(pattern))
	}
	return bases
}

func baseOf(pattern string) string {
	elements := strings.Split(pattern, "/")
	if i := slices.IndexFunc(elements, hasMeta); i >= 0 {
		elements = elements[:i]
	}
	return path.Join(".", path.Join(elements...))
}

func hasMeta(text string) bool { return strings.ContainsAny(text, `*?[\`) }

// Match reports whether a name, with slashes, matches the pattern.
func (g Glob) Match(name string) bool {
	name = path.Clean(name)
	return len(name) <= maxNameBytes && slices.ContainsFunc(g.patterns, func(pattern string) bool {
		return doublestar.MatchUnvalidated(pattern, name)
	})
}

// expand expands the braces of a pattern, from the left.
func expand(pattern string) (patterns []string, err error) {
	before, choices, behind, found := firstBraces(pattern)
	if !found {
		return []string{pattern}, nil
	}
	for _, choice := range choices {
		more, err := expand(before + choice + behind)
		if err != nil {
			return nil, err
		}
		if patterns = append(patterns, more...); len(patterns) > MaxAlternatives {
			return nil, fmt.Errorf("has braces that expand to more than %d patterns: write fewer alternatives", MaxAlternatives)
		}
	}
	return patterns, nil
}

// firstBraces splits a pattern at its first braces, and their content at its commas.
func firstBraces(pattern string) (before string, choices []string, behind string, found bool) {
	depth, begin, from := 0, 0, 0
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '[':
			i = classEnd(pattern, i)
		case '{':
			if depth++; depth == 1 {
				begin, from = i, i+1
			}
		case ',':
			if depth == 1 {
				choices = append(choices, pattern[from:i])
				from = i + 1
			}
		case '}':
			if depth--; depth == 0 {
				return pattern[:begin], append(choices, pattern[from:i]), pattern[i+1:], true
			}
		}
	}
	return pattern, nil, "", false
}

// classEnd returns the index at which the class that begins at an index ends.
func classEnd(pattern string, at int) int {
	for at++; at < len(pattern) && pattern[at] != ']'; at++ {
		if pattern[at] == '\\' {
			at++
		}
	}
	return at
}

// GlobSearch finds files in one tree. All its patterns share one budget.
type GlobSearch struct {
	tree  fs.FS
	steps int
}

// NewGlobSearch returns a search of a tree.
func NewGlobSearch(tree fs.FS) *GlobSearch { return &GlobSearch{tree: tree} }

// Find returns the files, folders and links that match a pattern, sorted. Links to folders are
// followed, except from ** on. A search that would take too long is an error.
func (s *GlobSearch) Find(g Glob) (found []string, err error) {
	for _, pattern := range g.patterns {
		base := baseOf(pattern)
		if base != pattern {
			err = s.walk(pattern, base, &found)
		} else if _, missing := fs.Lstat(s.tree, base); missing == nil {
			found = append(found, base)
		}
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// walk looks for files in a folder, and below it where the pattern may match.
func (s *GlobSearch) walk(pattern, folder string, found *[]string) error {
	if info, err := fs.Stat(s.tree, folder); err == nil && !info.IsDir() { // or a link to a file
		return nil
	}
	entries, err := fs.ReadDir(s.tree, folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return err
	}
	for _, entry := range entries {
		name := path.Join(folder, entry.Name())
		if s.steps += (16 + len(pattern)) * (16 + len(name)); s.steps > maxSteps {
			return errors.New("it takes too long to find the files: name their folder, as in agents/decisions/*.md, and use fewer * and braces")
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

// mayHold reports whether a folder may hold what matches a pattern. AnyDepth means that ** has
// matched a part of its name.
func mayHold(pattern, folder string) (below, anyDepth bool) {
	elements, parts := strings.Split(pattern, "/"), strings.Split(folder, "/")
	for i, element := range elements {
		if element == "**" {
			return true, true
		}
		if i == len(parts) {
			return true, false
		}
		if !doublestar.MatchUnvalidated(element, parts[i]) {
			return false, false
		}
	}
	return false, false
}
