package merge

import "fmt"

// String says where a conflict is, and between whom: 'lines 9 to 15: "HEAD" (line 10) against
// "feature" (lines 12 to 14)'.
func (b Conflict) String() string {
	where := lineRange(b.First, b.Last)
	switch {
	case b.Whole:
		return fmt.Sprintf("%s: %s against %s", where, b.Ours, b.Theirs)
	case b.Ours.Label != "" && b.Theirs.Label != "":
		return fmt.Sprintf("%s: %q against %q", where, b.Ours.Label, b.Theirs.Label)
	}
	return fmt.Sprintf("%s: a marker of %q, whose others were deleted", where, b.Ours.Label+b.Theirs.Label)
}

// String says what git calls a side, and in which lines it is.
func (s Side) String() string {
	if s.First > s.Last {
		return fmt.Sprintf("%q (no lines)", s.Label)
	}
	return fmt.Sprintf("%q (%s)", s.Label, lineRange(s.First, s.Last))
}

func lineRange(first, last int) string {
	if first == last {
		return fmt.Sprintf("line %d", first)
	}
	return fmt.Sprintf("lines %d to %d", first, last)
}

// ConflictError reports that something cannot be used before a conflict is resolved.
type ConflictError struct {
	What  string // "the entry /when x", "section \"Y\"", or "" for all of the file
	Path  string
	Block Conflict
}

func (e *ConflictError) Error() string {
	what := e.What
	if what == "" {
		what = "this file"
	}
	return fmt.Sprintf("%s:%d: %s has a merge conflict in %s; resolve it and delete the markers first", e.Path, e.Block.First, what, e.Block)
}
