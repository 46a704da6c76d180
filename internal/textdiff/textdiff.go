// Package textdiff compares two texts by lines, and prints the difference as a unified diff, the
// form that patch and git apply take.
package textdiff

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// context is the number of unchanged lines around a change.
const context = 3

// Change replaces the lines of a text from Start to End, which are numbered from 0.
type Change struct {
	Start, End int
	New        []string // with their line ends
}

// maxSearchedLines is the number of lines of both texts up to which all of them are searched for
// the shortest difference: above that, the search can take seconds.
const maxSearchedLines = 4000

// Changes returns what turns one text into another, in order. There is an unchanged line between
// two changes. In long texts, lines that only one of them has are not searched.
func Changes(before, after string) []Change {
	old, updated := slices.Collect(strings.Lines(before)), slices.Collect(strings.Lines(after))
	return changes(old, updated, len(old)+len(updated) <= maxSearchedLines)
}

func changes(old, updated []string, searchAll bool) (found []Change) {
	oldText, oldLines := searched(old, updated, searchAll)
	newText, newLines := searched(updated, old, searchAll)
	start, newStart := 0, 0 // after the last unchanged line
	add := func(end, newEnd int) {
		if start < end || newStart < newEnd {
			found = append(found, Change{start, end, updated[newStart:newEnd]})
		}
		start, newStart = end+1, newEnd+1
	}
	differ := diffmatchpatch.New()
	a, b, _ := differ.DiffLinesToRunes(oldText, newText)
	for _, d := range differ.DiffMainRunes(a, b, false) {
		n := utf8.RuneCountInString(d.Text) // a rune for each line
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			oldLines = oldLines[n:]
		case diffmatchpatch.DiffInsert:
			newLines = newLines[n:]
		case diffmatchpatch.DiffEqual:
			for i := range n {
				add(oldLines[i], newLines[i])
			}
			oldLines, newLines = oldLines[n:], newLines[n:]
		}
	}
	add(len(old), len(updated))
	return found
}

// searched returns the lines that the other text has too, or all, and their indexes.
func searched(lines, other []string, all bool) (text string, indexes []int) {
	known := make(map[string]bool, len(other))
	for _, line := range other {
		known[line] = true
	}
	var out strings.Builder
	for i, line := range lines {
		if all || known[line] {
			out.WriteString(line)
			indexes = append(indexes, i)
		}
	}
	return out.String(), indexes
}

// Unified returns the unified diff from before to after, headed by the path as
// "a/path" and "b/path", or "" if they are equal. Line ends are part of the
// lines, so a change of line ends shows. A path from the root of the disk loses its first slash.
func Unified(path string, before, after []byte) string {
	if string(before) == string(after) {
		return ""
	}
	path = strings.TrimPrefix(path, "/")
	old := slices.Collect(strings.Lines(string(before)))
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", header("a/"+path), header("b/"+path))
	shift := 0 // how many lines the changes so far have added
	for rest := Changes(string(before), string(after)); len(rest) > 0; {
		n := 1 // changes with no more than two contexts between them share a hunk
		for n < len(rest) && rest[n].Start-rest[n-1].End <= 2*context {
			n++
		}
		shift += writeHunk(&out, old, rest[:n], shift)
		rest = rest[n:]
	}
	return out.String()
}

// writeHunk writes changes with their context, and returns how many lines they add.
func writeHunk(out *strings.Builder, old []string, changes []Change, shift int) (added int) {
	for _, c := range changes {
		added += len(c.New) - (c.End - c.Start)
	}
	at, end := max(0, changes[0].Start-context), min(len(old), changes[len(changes)-1].End+context)
	fmt.Fprintf(out, "@@ -%s +%s @@\n", extent(at+1, end-at), extent(at+1+shift, end-at+added))
	for _, c := range changes {
		writeLines(out, ' ', old[at:c.Start])
		writeLines(out, '-', old[c.Start:c.End])
		writeLines(out, '+', c.New)
		at = c.End
	}
	writeLines(out, ' ', old[at:end])
	return added
}

func writeLines(out *strings.Builder, sign byte, lines []string) {
	for _, line := range lines {
		out.WriteByte(sign)
		out.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// extent formats the position of a hunk on one side. An empty side is identified by the line
// before it.
func extent(line, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", line-1)
	case 1:
		return fmt.Sprint(line)
	}
	return fmt.Sprintf("%d,%d", line, count)
}

// header formats a path for the head of a diff as git does: quoted if it has characters that
// would end it, and followed by a tab if it has a space.
func header(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f || r == '"' || r == '\\' }) {
		return quote(path)
	}
	if strings.Contains(path, " ") {
		return path + "\t"
	}
	return path
}

// quote quotes a path with the octal escapes of C.
func quote(path string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, b := range []byte(path) {
		switch {
		case b == '"' || b == '\\':
			out.WriteByte('\\')
			out.WriteByte(b)
		case b < ' ' || b == 0x7f:
			fmt.Fprintf(&out, "\\%03o", b)
		default:
			out.WriteByte(b)
		}
	}
	out.WriteByte('"')
	return out.String()
}
