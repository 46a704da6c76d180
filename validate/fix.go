package validate

import (
	"bytes"
	"cmp"
	"io/fs"
	"slices"
	"strings"

	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/index"
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

// Allow says which fixes are made besides the safe ones.
type Allow struct {
	Unsafe bool // those that guess what is meant
	Merged bool // both sides of conflicts are kept
}

func (a Allow) makes(fix *finding.Fix) bool {
	return fix != nil && (a.Unsafe || !fix.Unsafe) && (a.Merged || !fix.Merged)
}

// Fix makes the fixes that are allowed in a tree, without writing it. It
// works to the end: fixing the result again changes nothing. What it takes out for
// good (lines that stand elsewhere byte for byte, an instruction to scan the index) is
// listed in the fixes of the fixed findings.
func Fix(tree fs.FS, c config.Config, allow Allow) (Result, error) {
	m, err := Load(tree, c)
	if err != nil {
		return Result{}, err
	}
	return FixCorpus(m, c, allow)
}

// FixCorpus is Fix for files that have been read. It does not change m.
func FixCorpus(m *corpus.Memory, c config.Config, allow Allow) (Result, error) {
	result := Result{NoIndex: m.IndexMissing}
	work := withLineEnd(m)
	impossible := refusals{}
	left := impossible.drop(Check(&work, c))
	for range maxRounds {
		r := round{before: work, after: work}
		fixed, _ := accept(left, allow)
		if err := r.make(byFix(fixed), impossible); err != nil {
			return Result{}, err
		}
		if len(fixed) == 0 || len(r.fixed) == 0 {
			break
		}
		work = r.after
		left = impossible.drop(Check(&work, c))
		result.Fixed = append(result.Fixed, r.fixed...)
	}
	result.Left = impossible.drop(left)
	finding.Sort(result.Fixed)
	result.add(m.IndexPath, m.Index.Source, m.Index.TrimLineEnd(work.Index.Source))
	for i, file := range work.Decisions {
		result.add(file.Path, m.Decisions[i].Source, file.Source)
	}
	return result, nil
}

// withLineEnd returns a memory whose index ends with a line end, so that lines can be added.
func withLineEnd(m *corpus.Memory) corpus.Memory {
	work := *m
	work.Index = m.Index.WithLineEnd()
	return work
}

// CheckFixes is Check, with only the fixes that can be made: a fix that would lose a line is
// left out.
func CheckFixes(m *corpus.Memory, c config.Config) ([]finding.Finding, error) {
	found := Check(m, c)
	work := withLineEnd(m)
	impossible := refusals{}
	for rest := slices.Clone(found); ; {
		fixed, _ := accept(rest, Allow{Unsafe: true, Merged: true})
		if len(fixed) == 0 {
			return impossible.drop(found), nil
		}
		r := round{before: work, after: work} // those that conflict are tried apart from each other
		if err := r.make(byFix(fixed), impossible); err != nil {
			return nil, err
		}
		rest = slices.DeleteFunc(rest, func(f finding.Finding) bool {
			return slices.ContainsFunc(fixed, func(done finding.Finding) bool { return done.Fix == f.Fix })
		})
	}
}

// byFix groups findings that have the same fix.
func byFix(findings []finding.Finding) (groups [][]finding.Finding) {
	at := map[*finding.Fix]int{}
	for _, f := range findings {
		i, known := at[f.Fix]
		if !known {
			i = len(groups)
			at[f.Fix] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}

// round is fixes that are made together.
type round struct {
	before, after corpus.Memory
	fixed         []finding.Finding
	edits         []finding.Edit
}

// make makes all fixes of a round that lose no line. The others it notes as impossible: it
// halves the fixes until it has found them.
func (r *round) make(groups [][]finding.Finding, impossible refusals) error {
	if len(groups) == 0 {
		return nil
	}
	fixed, edits := slices.Clone(r.fixed), slices.Clone(r.edits)
	for _, group := range groups {
		fixed = append(fixed, group...)
		edits = append(edits, group[0].Fix.Edits...)
	}
	after, err := apply(r.before, edits)
	if err != nil {
		return err
	}
	switch {
	case intact(r.before.Index, after.Index, fixed):
		r.after, r.fixed, r.edits = after, fixed, edits
		return nil
	case len(groups) == 1:
		impossible.add(groups[0])
		return nil
	}
	half := len(groups) / 2
	if err := r.make(groups[:half], impossible); err != nil {
		return err
	}
	return r.make(groups[half:], impossible)
}

// refusals are findings whose fixes cannot be made, by what stays the same of them while others
// are fixed.
type refusals map[[3]string]bool

func (r refusals) add(findings []finding.Finding) {
	for _, f := range findings {
		r[[3]string{f.Rule, f.Path, f.Message}] = true
	}
}

// drop returns findings without the fixes that cannot be made.
func (r refusals) drop(findings []finding.Finding) []finding.Finding {
	for i, f := range findings {
		if r[[3]string{f.Rule, f.Path, f.Message}] {
			findings[i].Fix = nil
		}
	}
	return findings
}

// intact tells whether a round of fixes has kept what it should: moved behind a
// stray "<!--", an entry whose title holds "-->" would close a comment and hide the
// lines between. Such a fix is not made.
func intact(before, after *index.File, fixed []finding.Finding) bool {
	removed, emptied := 0, 0 // entries, sections
	for _, f := range fixed {
		switch {
		case f.Rule == "duplicate-trigger":
			removed++
		case f.Rule == "unknown-file" && len(f.Fix.Removed) > 0:
			emptied++
		}
	}
	entries, opaque := census(before)
	nowEntries, nowOpaque := census(after)
	return nowEntries >= entries-removed && nowOpaque == opaque && len(after.Sections) >= len(before.Sections)-emptied
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
func accept(findings []finding.Finding, allow Allow) (fixed []finding.Finding, edits []finding.Edit) {
	byRule := map[string][]finding.Finding{}
	for _, f := range findings {
		if allow.makes(f.Fix) {
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
func apply(m corpus.Memory, edits []finding.Edit) (corpus.Memory, error) {
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
