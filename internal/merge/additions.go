// Package merge resolves conflicts of git's three-way merge in which both sides only added something. It finds text
// that a merge has put under another heading or brought back, and the conflicts that git leaves in a text. The package
// is pure.
package merge

import (
	"slices"
	"strings"

	"whence/internal/words"
)

// Piece is a heading of a decision file, or a section line or entry of an index.
type Piece struct {
	Span           // of its own lines
	Level   int    // of a heading or section line; EntryLevel if it is an entry
	IsIndex bool   // it is of an index, where only its line belongs to it
	Key     string // identifies it in its file
	Title   string // its title, in the form in which titles are compared
}

// EntryLevel is the level of entries: deeper than that of any heading.
const EntryLevel = 7

// ReadFunc returns the pieces of a text, in order.
type ReadFunc func(src []byte) []Piece

// addition is a piece that a side has added.
type addition struct {
	Piece
	gap     string // the blank lines before it
	text    string // its lines and what belongs to it; a section line has the blank lines that follow
	section string // the key of the section line above it, if that was added with it
}

func (a addition) isSection() bool { return a.IsIndex && a.Level < EntryLevel }

func (a addition) isSame(b addition) bool {
	return a.Key == b.Key && a.text == b.text && a.section == b.section
}

// isRival reports whether two additions have the same key or title, but differ.
func (a addition) isRival(b addition) bool {
	return !a.isSection() && !b.isSection() && (a.Key == b.Key || a.Title == b.Title) && !a.isSame(b)
}

// maxAdditions bounds the additions: the time grows with the square of their number.
const maxAdditions = 1000

// ResolveAdditions resolves the conflicts in the output of "git merge-file --diff3": each becomes the additions of
// ours, then those of theirs that ours does not have. It returns false unless, in each conflict, the base has nothing,
// both sides added whole pieces with different keys and titles that the base does not have elsewhere, and no text
// follows that would then belong to them. No line of the three texts may begin with a marker of that size.
func ResolveAdditions(diff3, base []byte, markerSize int, read ReadFunc) (merged []byte, ok bool) {
	raw, hunks, ok := splitHunks(string(diff3), markerSize)
	if !ok {
		return nil, false
	}
	pieces := read([]byte(raw)) // read together: a fence or comment of one side may hide the other
	var added, ours, theirs []addition
	for i := range hunks {
		h := &hunks[i]
		our, tail, whole := additions(raw, h.ours, pieces)
		their, _, theirsWhole := additions(raw, h.theirs, pieces)
		if !whole || !theirsWhole || len(ours)+len(our)+len(their) > maxAdditions || !fit(slices.Concat(our, their), raw, h.theirs.End, pieces) {
			return nil, false
		}
		h.joined, h.tail = join(our, their), tail
		added, ours, theirs = append(added, h.joined...), append(ours, our...), append(theirs, their...)
	}
	hasRival := func(a addition) bool { return slices.ContainsFunc(ours, a.isRival) }
	if slices.ContainsFunc(theirs, hasRival) || slices.ContainsFunc(added, isMovedFrom(string(base), read(base))) {
		return nil, false
	}
	merged = writeHunks(raw, hunks, words.LineEnd(diff3))
	count := map[string]int{}
	for _, p := range read(merged) {
		count[p.Key]++
	}
	if slices.ContainsFunc(added, func(a addition) bool { return count[a.Key] != 1 }) {
		return nil, false
	}
	return merged, true
}

// writeHunks returns a text with the additions of both sides in place of the conflicts.
func writeHunks(raw string, hunks []hunk, lineEnd string) []byte {
	var out strings.Builder
	at := 0
	for _, h := range hunks {
		out.WriteString(raw[at:h.ours.Start])
		for i, a := range h.joined {
			if i > 0 && a.gap == "" && a.Level < EntryLevel && !strings.HasSuffix(out.String(), lineEnd+lineEnd) {
				a.gap = lineEnd
			}
			out.WriteString(a.gap + a.text)
		}
		out.WriteString(h.tail)
		at = h.theirs.End
	}
	out.WriteString(raw[at:])
	return []byte(out.String())
}

// isMovedFrom returns a function that reports whether the base has an addition elsewhere: by key, by title, or by all
// of the text below a heading. One side has then moved it, and the changes of the other side to it would be lost.
func isMovedFrom(base string, pieces []Piece) func(addition) bool {
	known := map[string]bool{}
	for i, p := range pieces {
		if p.IsIndex && p.Level < EntryLevel {
			continue
		}
		known["key "+p.Key], known["title "+p.Title] = true, true
		if p.IsIndex {
			continue
		}
		end := len(base)
		if next := slices.IndexFunc(pieces[i+1:], func(n Piece) bool { return n.Level <= p.Level }); next >= 0 {
			end = pieces[i+1+next].Start
		}
		known["text "+strings.TrimSpace(base[p.End:end])] = true
	}
	delete(known, "text ")
	return func(a addition) bool {
		isHeading := !a.IsIndex && known["text "+strings.TrimSpace(a.text[a.End-a.Start:])]
		return !a.isSection() && (known["key "+a.Key] || known["title "+a.Title] || isHeading)
	}
}

// hunk is a conflict in a text without markers: the lines of ours, followed by those of theirs.
type hunk struct {
	ours, theirs Span
	joined       []addition // of both
	tail         string     // the blank lines after them
}

// splitHunks removes the markers from a text. It returns false if the base has a line in a conflict.
func splitHunks(diff3 string, markerSize int) (raw string, hunks []hunk, ok bool) {
	var out strings.Builder
	var h hunk
	inBase := false
	for line := range strings.Lines(diff3) {
		mark := byte(0)
		if len(line) >= markerSize && line[:markerSize] == strings.Repeat(line[:1], markerSize) {
			mark = line[0]
		}
		switch {
		case mark == '<':
			h.ours.Start = out.Len()
		case mark == '|':
			h.ours.End, inBase = out.Len(), true
		case mark == '=':
			h.theirs.Start, inBase = out.Len(), false
		case mark == '>':
			h.theirs.End = out.Len()
			hunks = append(hunks, h)
		case inBase:
			return "", nil, false
		default:
			out.WriteString(line)
		}
	}
	return out.String(), hunks, true
}

// additions returns the pieces in a part of a text, and the blank lines after them. It returns false if the part holds
// anything else.
func additions(raw string, part Span, pieces []Piece) (all []addition, tail string, ok bool) {
	for _, p := range pieces {
		if p.Start < part.Start || p.Start >= part.End || len(all) > 0 && !p.IsIndex && p.Level > all[0].Level {
			continue
		}
		all = append(all, addition{Piece: p})
	}
	if len(all) == 0 || strings.TrimSpace(raw[part.Start:all[0].Start]) != "" {
		return nil, "", false
	}
	tail = raw[part.Start:all[0].Start]
	section := ""
	for i := range all {
		a, end := &all[i], part.End
		if i+1 < len(all) {
			end = all[i+1].Start
		}
		if a.IsIndex && strings.TrimSpace(raw[a.End:end]) != "" {
			return nil, "", false
		}
		a.gap, a.section = tail, section
		whole := raw[a.Start:end]
		bare := len(strings.TrimRight(whole, " \t\r\n"))
		bare += strings.IndexByte(whole[bare:], '\n') + 1
		if a.isSection() {
			section, bare = a.Key, len(whole)
		}
		a.text, tail = whole[:bare], whole[bare:]
	}
	return all, tail, true
}

// fit reports whether additions are entries and sections, or headings of one level below the title of the file, and the
// text that follows them at an offset does not belong to them.
func fit(added []addition, raw string, end int, pieces []Piece) bool {
	isOdd := func(a addition) bool { return !a.IsIndex && (a.Level == 1 || a.Level != added[0].Level) }
	if slices.ContainsFunc(added, isOdd) {
		return false
	}
	for line := range strings.Lines(raw[end:]) {
		if strings.TrimSpace(line) == "" {
			end += len(line)
			continue
		}
		i := slices.IndexFunc(pieces, func(p Piece) bool { return p.Start == end })
		return i >= 0 && !slices.ContainsFunc(added, func(a addition) bool { return a.Level < pieces[i].Level })
	}
	return true
}

// join returns the additions of both sides, theirs after ours in the same section. Equal ones occur once.
func join(ours, theirs []addition) []addition {
	all := slices.Clone(ours)
	sectionEnd := func(from int) int {
		if i := slices.IndexFunc(all[from:], addition.isSection); i >= 0 {
			return from + i
		}
		return len(all)
	}
	at := sectionEnd(0)
	for _, t := range theirs {
		if !t.isSection() {
			if !slices.ContainsFunc(ours, t.isSame) {
				all = slices.Insert(all, at, t)
				at++
			}
			continue
		}
		i := slices.IndexFunc(all, func(a addition) bool { return a.isSection() && a.Key == t.Key })
		if i < 0 {
			i, all = len(all), append(all, t)
		}
		at = sectionEnd(i + 1)
	}
	return all
}
