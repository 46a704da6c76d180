package worktree

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"whence/internal/text"
)

// MaxAlternatives is the number of patterns that the braces of a glob may expand to.
const MaxAlternatives = 64

// Bounds of a pattern.
const (
	maxPatternBytes = 1000
	maxDoubleStars  = 8
	maxStars        = 8 // in an element
	maxNameBytes    = 4096
)

// Glob is a pattern for names of files. Its braces are expanded, then it is split at its
// slashes. In an element, * matches any characters, ? matches one, [a-z] matches one of a
// class, and \ escapes one. The element ** matches any number of folders.
//
// Matching and finding take bounded time, as an attacker may write both pattern and tree.
type Glob struct {
	text         string
	alternatives [][]string // elements; no braces are left
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
	expanded, err := expand(pattern)
	if err != nil {
		return Glob{}, err
	}
	g := Glob{text: pattern}
	for _, alternative := range expanded {
		elements, err := splitElements(path.Clean(alternative))
		if err != nil {
			return Glob{}, fmt.Errorf("%s %w", text.Quoted(pattern), err)
		}
		g.alternatives = append(g.alternatives, elements)
	}
	return g, nil
}

// Name returns the pattern, and whether it is a plain name without wildcards and braces.
func (g Glob) Name() (name string, isName bool) {
	return g.text, !hasMeta(g.text) && !strings.Contains(g.text, "{")
}

// Alternatives returns the number of patterns that the braces expand to.
func (g Glob) Alternatives() int { return len(g.alternatives) }

// Patterns returns the patterns that the braces expand to.
func (g Glob) Patterns() (patterns []string) {
	for _, elements := range g.alternatives {
		patterns = append(patterns, strings.Join(elements, "/"))
	}
	return patterns
}

// Bases returns the folders, or names, that the patterns have before their first wildcard.
func (g Glob) Bases() (bases []string) {
	for _, elements := range g.alternatives {
		fixed := slices.IndexFunc(elements, hasMeta)
		if fixed < 0 {
			fixed = len(elements)
		}
		bases = append(bases, path.Join(append([]string{"."}, elements[:fixed]...)...))
	}
	return bases
}

// Names returns those elements of all alternatives that have no wildcard.
func (g Glob) Names() (names []string) {
	for _, elements := range g.alternatives {
		for _, element := range elements {
			if !hasMeta(element) {
				names = append(names, element)
			}
		}
	}
	return names
}

func hasMeta(text string) bool { return strings.ContainsAny(text, `*?[\`) }

// expand expands the braces of a pattern, from the left.
func expand(pattern string) ([]string, error) {
	todo, done := []string{pattern}, []string{}
	for len(todo) > 0 {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		before, choices, behind, found := firstBraces(next)
		if !found {
			done = append(done, next)
			continue
		}
		if len(todo)+len(done)+len(choices) > MaxAlternatives {
			return nil, fmt.Errorf("the braces of %s expand to more than %d patterns: write fewer alternatives", text.Quoted(pattern), MaxAlternatives)
		}
		for _, choice := range slices.Backward(choices) {
			todo = append(todo, before+choice+behind)
		}
	}
	return done, nil
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

// splitElements splits a pattern without braces. Several ** in a row are reduced to one,
// which matches the same.
func splitElements(pattern string) (elements []string, err error) {
	doubleStars := 0
	for element := range strings.SplitSeq(pattern, "/") {
		if element == "**" {
			if len(elements) > 0 && elements[len(elements)-1] == "**" {
				continue
			}
			if doubleStars++; doubleStars > maxDoubleStars {
				return nil, fmt.Errorf("has more than %d ** in it", maxDoubleStars)
			}
		} else if strings.Count(element, "*") > maxStars {
			return nil, fmt.Errorf("has more than %d * between two slashes", maxStars)
		}
		if !doublestar.ValidatePattern(element) {
			return nil, errors.New("is not a valid glob: a class cannot hold a slash")
		}
		elements = append(elements, element)
	}
	return elements, nil
}

// Match reports whether a name, with slashes, matches the pattern.
func (g Glob) Match(name string) bool {
	if len(name) > maxNameBytes {
		return false
	}
	at := g.start()
	for part := range strings.SplitSeq(path.Clean(name), "/") {
		var next positions
		for _, s := range at {
			switch element := g.alternatives[s.alternative]; {
			case s.element == len(element):
			case element[s.element] == "**":
				next = next.add(g, s)
			case matchElement(element[s.element], part):
				next = next.add(g, position{s.alternative, s.element + 1})
			}
		}
		if at = next; len(at) == 0 {
			return false
		}
	}
	return at.accepted(g)
}

// position is an index into an alternative: the elements before it have been matched.
type position struct{ alternative, element int }

// positions are all positions that a name has reached, sorted.
type positions []position

// start returns the positions before any name.
func (g Glob) start() (all positions) {
	for alternative := range g.alternatives {
		all = all.add(g, position{alternative, 0})
	}
	return all
}

// add adds a position and, if ** is there, the next one, because ** may match nothing. Positions
// are added in order, each at most two after the one that it is reached from, so a duplicate
// is among the last two.
func (all positions) add(g Glob, s position) positions {
	for !slices.Contains(all[max(0, len(all)-2):], s) {
		all = append(all, s)
		elements := g.alternatives[s.alternative]
		if s.element == len(elements) || elements[s.element] != "**" {
			break
		}
		s.element++
	}
	return all
}

// with returns the union of both.
func (all positions) with(others positions) positions {
	if len(others) == 0 {
		return all
	}
	all = append(all, others...)
	slices.SortFunc(all, func(a, b position) int {
		return cmp.Or(cmp.Compare(a.alternative, b.alternative), cmp.Compare(a.element, b.element))
	})
	return slices.Compact(all)
}

// accepted reports whether an alternative has been matched to its end.
func (all positions) accepted(g Glob) bool {
	return slices.ContainsFunc(all, func(s position) bool { return s.element == len(g.alternatives[s.alternative]) })
}

// matchElement reports whether a name matches an element other than **.
func matchElement(element, name string) bool {
	if !hasMeta(element) {
		return element == name
	}
	return doublestar.MatchUnvalidated(element, name)
}
