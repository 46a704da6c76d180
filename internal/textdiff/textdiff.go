// Package textdiff writes the difference of two texts as a unified diff, the
// form that people read and that patch and git apply take.
package textdiff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// context is the number of unchanged lines around a change.
const context = 3

// op is one line of the script that turns the old text into the new one.
type op struct {
	sign byte // ' ', '-' or '+'
	text string
}

// Unified returns the unified diff from before to after, headed by the path as
// "a/path" and "b/path", or "" if they are equal. Line ends are part of the
// lines, so a change of line ends shows.
func Unified(path string, before, after []byte) string {
	if string(before) == string(after) {
		return ""
	}
	ops := script(string(before), string(after))
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", header("a/"+path), header("b/"+path))
	oldLine, newLine := 1, 1
	for at := 0; ; {
		start, end := hunk(ops, at)
		if start == end {
			return out.String()
		}
		oldLine, newLine = advance(ops[at:start], oldLine, newLine)
		writeHunk(&out, ops[start:end], oldLine, newLine)
		oldLine, newLine = advance(ops[start:end], oldLine, newLine)
		at = end
	}
}

// header writes a path for the head of a diff as git does: quoted if it holds what
// would end it, and followed by a tab if it holds a space.
func header(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r == 0x7f || r == '"' || r == '\\' }) {
		return quote(path)
	}
	if strings.Contains(path, " ") {
		return path + "\t"
	}
	return path
}

// quote writes a path between quotes, with the escapes of C and octal ones.
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

// manyLines is the number of lines of both texts up to which all of them are searched
// for the shortest way: above, the search can take seconds.
const manyLines = 4000

// script lists all lines of both texts in the order of the diff. In long texts it does
// not search for lines that only one of them has.
func script(before, after string) []op {
	if strings.Count(before, "\n")+strings.Count(after, "\n") <= manyLines {
		return search(before, after)
	}
	return searchShared(before, after)
}

// searchShared searches among the lines that both texts have, and sets the others
// between them: of each change first what goes.
func searchShared(before, after string) []op {
	old, fresh := splitLines(before), splitLines(after)
	inOld, inFresh := set(old), set(fresh)
	var ops, removed, added []op
	takeOld := func() {
		removed = append(removed, op{'-', old[0]})
		old = old[1:]
	}
	takeFresh := func() {
		added = append(added, op{'+', fresh[0]})
		fresh = fresh[1:]
	}
	flush := func() {
		ops = append(append(ops, removed...), added...)
		removed, added = removed[:0], added[:0]
	}
	unique := func() {
		for len(old) > 0 && !inFresh[old[0]] {
			takeOld()
		}
		for len(fresh) > 0 && !inOld[fresh[0]] {
			takeFresh()
		}
	}
	for _, o := range search(keep(old, inFresh), keep(fresh, inOld)) {
		unique()
		switch o.sign {
		case '-':
			takeOld()
		case '+':
			takeFresh()
		default:
			flush()
			ops = append(ops, o)
			old, fresh = old[1:], fresh[1:]
		}
	}
	unique()
	flush()
	return ops
}

// splitLines splits a text into its lines, with their line ends.
func splitLines(text string) []string {
	return slices.AppendSeq(make([]string, 0, strings.Count(text, "\n")+1), strings.Lines(text))
}

func set(lines []string) map[string]bool {
	in := make(map[string]bool, len(lines))
	for _, line := range lines {
		in[line] = true
	}
	return in
}

// keep joins the lines that are in a set.
func keep(lines []string, in map[string]bool) string {
	var kept strings.Builder
	for _, line := range lines {
		if in[line] {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// search finds the shortest way from one text to the other.
func search(before, after string) []op {
	signs := map[diffmatchpatch.Operation]byte{
		diffmatchpatch.DiffEqual: ' ', diffmatchpatch.DiffDelete: '-', diffmatchpatch.DiffInsert: '+',
	}
	differ := diffmatchpatch.New()
	a, b, lines := differ.DiffLinesToRunes(before, after)
	var ops []op
	for _, d := range differ.DiffCharsToLines(differ.DiffMainRunes(a, b, false), lines) {
		for line := range strings.Lines(d.Text) {
			ops = append(ops, op{signs[d.Type], line})
		}
	}
	return ops
}

// hunk finds the next changes at or after an index, with context on both sides.
// Changes with no more than two contexts between them share a hunk. Without a change, both
// results are len(ops).
func hunk(ops []op, at int) (start, end int) {
	first := at
	for first < len(ops) && ops[first].sign == ' ' {
		first++
	}
	if first == len(ops) {
		return len(ops), len(ops)
	}
	last := first
	for i := first; i < len(ops) && i-last <= 2*context+1; i++ {
		if ops[i].sign != ' ' {
			last = i
		}
	}
	return max(at, first-context), min(len(ops), last+context+1)
}

// advance counts ops on both sides.
func advance(ops []op, oldLine, newLine int) (int, int) {
	for _, o := range ops {
		if o.sign != '+' {
			oldLine++
		}
		if o.sign != '-' {
			newLine++
		}
	}
	return oldLine, newLine
}

func writeHunk(out *strings.Builder, ops []op, oldLine, newLine int) {
	oldCount, newCount := advance(ops, 0, 0)
	fmt.Fprintf(out, "@@ -%s +%s @@\n", extent(oldLine, oldCount), extent(newLine, newCount))
	for _, o := range ops {
		out.WriteByte(o.sign)
		out.WriteString(o.text)
		if !strings.HasSuffix(o.text, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// extent writes the position of a hunk on one side. An empty side is named by
// the line before it.
func extent(line, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", line-1)
	case 1:
		return fmt.Sprint(line)
	}
	return fmt.Sprintf("%d,%d", line, count)
}
