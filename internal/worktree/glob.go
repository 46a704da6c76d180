// Package glob finds the files of a tree by a pattern, and matches single names, in
// bounded time: an attacker may write patterns and trees that would take for ever.
//
// A pattern is split at its slashes once its braces are expanded. In an element * stands
// for any characters, ? for one, [a-z] for one of a class, \ takes a character as it is.
// An element ** stands for any number of folders.
package worktree

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// MaxAlternatives is the number of patterns that the braces of one may stand for.
const MaxAlternatives = 64

// Bounds of a pattern.
const (
	maxPatternBytes = 1000
	maxDoubleStars  = 8
	maxStars        = 8 // in an element
	maxNameBytes    = 4096
)

// Glob is a pattern that has been read.
type Glob struct {
	text         string
	alternatives [][]string // elements; no braces are left
}

// ParseGlob reads a pattern.
func ParseGlob(pattern string) (Glob, error) {
	if len(pattern) > maxPatternBytes {
		return Glob{}, fmt.Errorf("a glob of %d bytes: at most %d are allowed", len(pattern), maxPatternBytes)
	}
	pattern = path.Clean(pattern)
	if !doublestar.ValidatePattern(pattern) {
		return Glob{}, fmt.Errorf("%q is no valid glob: check its brackets and braces", pattern)
	}
	expanded, err := expand(pattern)
	if err != nil {
		return Glob{}, err
	}
	g := Glob{text: pattern}
	for _, alternative := range expanded {
		elements, err := split(path.Clean(alternative))
		if err != nil {
			return Glob{}, fmt.Errorf("%q %w", pattern, err)
		}
		g.alternatives = append(g.alternatives, elements)
	}
	return g, nil
}

// Name returns the file that a pattern without wildcards names.
func (g Glob) Name() (name string, isName bool) {
	return g.text, !hasMeta(g.text) && !strings.Contains(g.text, "{")
}

// Alternatives returns the number of patterns that the braces stand for.
func (g Glob) Alternatives() int { return len(g.alternatives) }

// Patterns returns the patterns that the braces expand to.
func (g Glob) Patterns() (patterns []string) {
	for _, elements := range g.alternatives {
		patterns = append(patterns, strings.Join(elements, "/"))
	}
	return patterns
}

// Names returns the elements of all alternatives that have no wildcard.
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

// expand writes out the braces of a pattern, from the left.
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
			return nil, fmt.Errorf("the braces of %q stand for more than %d patterns: write fewer alternatives", pattern, MaxAlternatives)
		}
		for _, choice := range slices.Backward(choices) {
			todo = append(todo, before+choice+behind)
		}
	}
	return done, nil
}

// firstBraces cuts a pattern at its first braces, and what they hold at its commas.
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

// classEnd returns where a class ends that begins at a place.
func classEnd(pattern string, at int) int {
	for at++; at < len(pattern) && pattern[at] != ']'; at++ {
		if pattern[at] == '\\' {
			at++
		}
	}
	return at
}

// split cuts a pattern without braces into its elements. Of several ** in a row one is
// kept: they stand for the same.
func split(pattern string) (elements []string, err error) {
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
			return nil, errors.New("is no valid glob: a class cannot hold a slash")
		}
		elements = append(elements, element)
	}
	return elements, nil
}

// Match reports whether a name, with slashes, is one that the pattern stands for.
func (g Glob) Match(name string) bool {
	if len(name) > maxNameBytes {
		return false
	}
	var at states
	for alternative := range g.alternatives {
		at = at.add(g, state{alternative, 0})
	}
	for part := range strings.SplitSeq(path.Clean(name), "/") {
		var next states
		for _, s := range at {
			switch element := g.alternatives[s.alternative]; {
			case s.element == len(element):
			case element[s.element] == "**":
				next = next.add(g, s)
			case matches(element[s.element], part):
				next = next.add(g, state{s.alternative, s.element + 1})
			}
		}
		if at = next; len(at) == 0 {
			return false
		}
	}
	return at.accepted(g)
}

// state is a place in an alternative: the elements before it have been matched.
type state struct{ alternative, element int }

// states are the places that a name has come to, in order.
type states []state

// add adds a place, and the one behind it where ** stands, which may stand for nothing.
// Places come in order, each at most two behind the one that it is reached from: so one
// that is there already is among the last two.
func (all states) add(g Glob, s state) states {
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

// with returns the places of both.
func (all states) with(others states) states {
	if len(others) == 0 {
		return all
	}
	all = append(all, others...)
	slices.SortFunc(all, func(a, b state) int {
		return cmp.Or(cmp.Compare(a.alternative, b.alternative), cmp.Compare(a.element, b.element))
	})
	return slices.Compact(all)
}

// accepted reports whether one of the places is an end.
func (all states) accepted(g Glob) bool {
	return slices.ContainsFunc(all, func(s state) bool { return s.element == len(g.alternatives[s.alternative]) })
}

// matches reports whether an element stands for a name.
func matches(element, name string) bool {
	if !hasMeta(element) {
		return element == name
	}
	is, err := doublestar.Match(element, name)
	return err == nil && is
}
