// Package finding defines what a check reports, and the output formats of a report.
//
// A Finding has a position, a rule, a message that says what to do, and a fix if one is known. A Fix
// is a set of byte edits of the text that was checked, never a reprint of it, so all other bytes stay.
package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Finding is one thing that a check reports.
type Finding struct {
	Path    string // from the repository root, with slashes
	Line    int    // 1-based
	Column  int    // 1-based, in Unicode code points
	Rule    string // name of the rule, as in "missing-entry"
	Message string // one line: what is wrong and what to do
	Heading string // title of the heading without an entry that it is about; "" if there is none
	Fix     *Fix   // nil if the user has to decide; findings may share one
}

// Fix resolves one or several findings.
type Fix struct {
	Unsafe  bool // it guesses what the author meant: apply only when asked to
	Edits   []Edit
	Removed []string // the lines that the fix deletes
}

// Edit replaces the bytes from Start to End of a file by New.
type Edit struct {
	Path       string
	Start, End int
	New        string
}

// Placed returns a copy of findings in which at has mapped each path.
func Placed(found []Finding, at func(path string) string) []Finding {
	found = slices.Clone(found)
	for i := range found {
		found[i].Path = at(found[i].Path)
	}
	return found
}

// Sort orders findings by position, then by rule and message.
func Sort(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(
			strings.Compare(a.Path, b.Path),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			strings.Compare(a.Rule, b.Rule),
			strings.Compare(a.Message, b.Message),
		)
	})
}

// Apply returns src after some edits, whose paths it ignores. Insertions at one offset are made in the order given, and
// before a replacement that begins there. Edits that overlap, or are outside of src, are an error.
func Apply(src []byte, edits []Edit) ([]byte, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	var out strings.Builder
	out.Grow(len(src))
	at := 0
	for _, e := range sorted {
		if e.Start < at || e.End < e.Start || e.End > len(src) {
			return nil, fmt.Errorf("edit of bytes %d to %d overlaps another or lies outside of the %d bytes of the file", e.Start, e.End, len(src))
		}
		out.Write(src[at:e.Start])
		out.WriteString(e.New)
		at = e.End
	}
	out.Write(src[at:])
	return []byte(out.String()), nil
}
