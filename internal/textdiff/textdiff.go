// Package textdiff compares two texts by lines, and prints the difference as a unified diff, the
// form that patch and git apply take.
package textdiff

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// context is the number of unchanged lines around a change.
const context = 3

// change replaces the lines of a text from start to end, which are numbered from 0.
type change struct {
	start, end int
	lines      []string // with their line ends
}

// changes returns the changes that turn one text into another, in order, with an unchanged line between any two. After
// a second, it stops looking for the shortest difference.
func changes(before, after string) (found []change) {
	updated := slices.Collect(strings.Lines(after))
	differ := diffmatchpatch.New()
	a, b, _ := differ.DiffLinesToRunes(before, after)
	start, newStart, end, newEnd := 0, 0, 0, 0
	add := func() {
		if start < end || newStart < newEnd {
			found = append(found, change{start, end, updated[newStart:newEnd]})
		}
	}
	for _, d := range differ.DiffMainRunes(a, b, false) {
		n := utf8.RuneCountInString(d.Text) // a rune for each line
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			end += n
		case diffmatchpatch.DiffInsert:
			newEnd += n
		case diffmatchpatch.DiffEqual:
			add()
			end, newEnd = end+n, newEnd+n
			start, newStart = end, newEnd
		}
	}
	add()
	return found
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
	for rest := changes(string(before), string(after)); len(rest) > 0; {
		n := 1 // changes with no more than two contexts between them share a hunk
		for n < len(rest) && rest[n].start-rest[n-1].end <= 2*context {
			n++
		}
		shift += writeHunk(&out, old, rest[:n], shift)
		rest = rest[n:]
	}
	return out.String()
}

// writeHunk writes changes with their context, and returns how many lines they add.
func writeHunk(out *strings.Builder, old []string, changed []change, shift int) (added int) {
	for _, c := range changed {
		added += len(c.lines) - (c.end - c.start)
	}
	at, end := max(0, changed[0].start-context), min(len(old), changed[len(changed)-1].end+context)
	fmt.Fprintf(out, "@@ -%s +%s @@\n", extent(at+1, end-at), extent(at+1+shift, end-at+added))
	for _, c := range changed {
		writeLines(out, ' ', old[at:c.start])
		writeLines(out, '-', old[c.start:c.end])
		writeLines(out, '+', c.lines)
		at = c.end
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
		return strconv.Quote(path)
	}
	if strings.Contains(path, " ") {
		return path + "\t"
	}
	return path
}
