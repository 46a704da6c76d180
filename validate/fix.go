package validate

import (
	"bytes"
	"cmp"
	"io/fs"
	"slices"
	"strings"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/memory"
)

// maxRounds bounds the rounds of a fix. Each one makes all fixes that do not
// touch each other; a moved line whose trigger is also mended takes two.
const maxRounds = 20

// Result is what a fix has come to.
type Result struct {
	Changes []Change          // files whose text changes, by path
	Fixed   []finding.Finding // what has been mended, at its place when it was
	Left    []finding.Finding // what remains, at its place after the fix
	NoIndex bool              // there is no index, so there was nothing to fix
}

// Change is the text of a file before and after a fix.
type Change struct {
	Path          string
	Before, After []byte
}

// Fix mends what can be mended in a tree, without writing it: findings with a
// safe fix, and with unsafe set also those whose fix guesses what is meant. It
// works to the end: fixing the result again changes nothing. What it takes out for
// good (lines that stand elsewhere byte for byte, an instruction to scan the index) is
// listed in the fixes of the fixed findings.
func Fix(tree fs.FS, c config.Config, unsafe bool) (Result, error) {
	m, err := Load(tree, c)
	if err != nil {
		return Result{}, err
	}
	return Mend(m, c, unsafe)
}

// Mend is Fix for a memory that has been read. It does not change m.
func Mend(m *memory.Memory, c config.Config, unsafe bool) (Result, error) {
	result := Result{NoIndex: m.IndexMissing}
	work := *m
	work.Decisions = slices.Clone(m.Decisions)
	src, ended := m.Index.WithLineEnd()
	if !ended {
		work.Index = index.Parse(src)
	}
	stuck := false
	left := Check(&work, c)
	for range maxRounds {
		fixed, edits := accept(left, unsafe)
		if len(fixed) == 0 {
			break
		}
		next, err := apply(work, edits)
		if err != nil {
			return Result{}, err
		}
		if stuck = !intact(work.Index, next.Index, fixed); stuck {
			break
		}
		work, left = next, Check(&next, c)
		result.Fixed = append(result.Fixed, fixed...)
	}
	result.Left = left
	for i := range result.Left {
		if stuck {
			result.Left[i].Fix = nil
		}
	}
	finding.Sort(result.Fixed)
	after := work.Index.Source
	if !ended {
		after = index.TrimLineEnd(after)
	}
	result.add(m.IndexPath, m.Index.Source, after)
	for i, file := range work.Decisions {
		result.add(file.Path, m.Decisions[i].Source, file.Source)
	}
	return result, nil
}

// intact tells whether a round of fixes has kept what it should: moved behind a
// stray "<!--", an entry whose title holds "-->" would close a comment and hide the
// lines between. Such a fix is not made.
func intact(before, after *index.File, fixed []finding.Finding) bool {
	removed := 0
	for _, f := range fixed {
		if f.Rule == "duplicate-trigger" {
			removed++
		}
	}
	entries, opaque := census(before)
	nowEntries, nowOpaque := census(after)
	return nowEntries >= entries-removed && nowOpaque == opaque && len(after.Sections) >= len(before.Sections)
}

// census counts the well-formed entries and the opaque lines of an index.
func census(f *index.File) (entries, opaque int) {
	for _, line := range f.Lines {
		if line.Kind == index.EntryLine {
			entries++
		}
		if line.Opaque {
			opaque++
		}
	}
	return entries, opaque
}

func (r *Result) add(path string, before, after []byte) {
	if !bytes.Equal(before, after) {
		r.Changes = append(r.Changes, Change{path, before, after})
	}
}

// accept chooses the findings to mend in one round: all that may be mended and
// whose edits do not conflict, in the order of the rules.
func accept(findings []finding.Finding, unsafe bool) (fixed []finding.Finding, edits []finding.Edit) {
	byRule := map[string][]finding.Finding{}
	for _, f := range findings {
		if f.Fix != nil && (unsafe || !f.Fix.Unsafe) {
			byRule[f.Rule] = append(byRule[f.Rule], f)
		}
	}
	decided := map[*finding.Fix]bool{}
	taken := map[string][]finding.Edit{} // by path, sorted by offset
	for _, r := range rules {
		for _, f := range byRule[r.name] {
			if _, known := decided[f.Fix]; !known {
				decided[f.Fix] = !conflicts(taken, f.Fix.Edits) && !conflictsItself(f.Fix.Edits)
				if decided[f.Fix] {
					edits = append(edits, f.Fix.Edits...)
					take(taken, f.Fix.Edits)
				}
			}
			if decided[f.Fix] {
				fixed = append(fixed, f)
			}
		}
	}
	return fixed, edits
}

// conflicts tells whether an edit cannot be made together with those taken.
func conflicts(taken map[string][]finding.Edit, edits []finding.Edit) bool {
	for _, e := range edits {
		others := taken[e.Path]
		at, _ := slices.BinarySearchFunc(others, e, byOffset)
		for _, near := range others[max(0, at-2):min(len(others), at+2)] {
			if finding.Conflict(e, near) {
				return true
			}
		}
	}
	return false
}

// conflictsItself tells whether two edits of one fix cannot be made together.
func conflictsItself(edits []finding.Edit) bool {
	sorted := slices.Clone(edits)
	slices.SortFunc(sorted, func(a, b finding.Edit) int { return cmp.Or(strings.Compare(a.Path, b.Path), byOffset(a, b)) })
	for i := 1; i < len(sorted); i++ {
		if finding.Conflict(sorted[i-1], sorted[i]) {
			return true
		}
	}
	return false
}

func take(taken map[string][]finding.Edit, edits []finding.Edit) {
	for _, e := range edits {
		others := taken[e.Path]
		at, _ := slices.BinarySearchFunc(others, e, byOffset)
		taken[e.Path] = slices.Insert(others, at, e)
	}
}

func byOffset(a, b finding.Edit) int {
	if a.Start != b.Start {
		return a.Start - b.Start
	}
	return a.End - b.End
}

// apply makes the edits and parses the changed files again. It does not change m.
func apply(m memory.Memory, edits []finding.Edit) (memory.Memory, error) {
	byPath := map[string][]finding.Edit{}
	for _, e := range edits {
		byPath[e.Path] = append(byPath[e.Path], e)
	}
	if edits := byPath[m.IndexPath]; edits != nil {
		src, err := finding.Apply(m.Index.Source, edits)
		if err != nil {
			return m, err
		}
		m.Index = index.Parse(src)
	}
	m.Decisions = slices.Clone(m.Decisions)
	for i, file := range m.Decisions {
		if edits := byPath[file.Path]; edits != nil {
			src, err := finding.Apply(file.Source, edits)
			if err != nil {
				return m, err
			}
			m.Decisions[i] = decision.Parse(file.Path, src)
		}
	}
	return m, nil
}
