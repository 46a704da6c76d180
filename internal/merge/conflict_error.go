package merge

import (
	"cmp"
	"fmt"

	"whence/internal/text"
)

// String describes a conflict, as in 'lines 9 to 15: "HEAD" (line 10) against
// "feature" (lines 12 to 14)'.
func (c Conflict) String() string {
	where := lineRange(c.First, c.Last)
	switch {
	case c.Whole:
		return fmt.Sprintf("%s: %s against %s", where, c.Ours, c.Theirs)
	case c.Ours.Label != "" && c.Theirs.Label != "":
		return fmt.Sprintf("%s: %s against %s", where, text.Quoted(c.Ours.Label), text.Quoted(c.Theirs.Label))
	}
	return fmt.Sprintf("%s: a marker of %s, whose others were deleted", where, text.Quoted(c.Ours.Label+c.Theirs.Label))
}

// String returns git's name for a side, and its lines.
func (s Side) String() string {
	if s.First > s.Last {
		return text.Quoted(s.Label) + " (no lines)"
	}
	return fmt.Sprintf("%s (%s)", text.Quoted(s.Label), lineRange(s.First, s.Last))
}

func lineRange(first, last int) string {
	if first == last {
		return fmt.Sprintf("line %d", first)
	}
	return fmt.Sprintf("lines %d to %d", first, last)
}

// ConflictError reports that something cannot be used before a conflict is resolved.
type ConflictError struct {
	What  string // "the entry /when x", "section \"Y\"", or "" for the whole file
	Path  string
	Block Conflict
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s:%d: %s has a merge conflict in %s; resolve it and delete the markers first", e.Path, e.Block.First, cmp.Or(e.What, "this file"), e.Block)
}
