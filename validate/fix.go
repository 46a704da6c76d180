package validate

import (
	"bytes"
	"cmp"
	"io/fs"
	"slices"

	"whence/internal/config"
	"whence/internal/corpus"
	"whence/internal/finding"
	"whence/internal/index"
)

// maxRounds bounds the rounds of a fix. Each makes all fixes that do not overlap; a
// line whose place and trigger change takes two.
const maxRounds = 20

// Result is the result of a check or a fix.
type Result struct {
	Changes []Change          // files whose text changes, by path
	Fixed   []finding.Finding // where they were before their round
	Left    []finding.Finding // where they are after the fix
	NoIndex bool              // there is no index
}

// Change is the text of a file before and after a fix.
type Change struct {
	Path          string
	Before, After []byte
}

// Allow selects fixes in addition to the safe ones.
type Allow struct {
	Unsafe bool // those that guess
}

func (a Allow) allows(fix *finding.Fix) bool {
	return fix != nil && (a.Unsafe || !fix.Unsafe)
}

// Fix makes the allowed fixes in a tree, without writing it. Fixing the result again
// changes nothing. The fixes of the fixed findings list what was removed: duplicate lines,
// instructions to scan the index.
func Fix(tree fs.FS, c config.Config, allow Allow) (Result, error) {
	m, err := Load(tree, c)
	if err != nil {
		return Result{}, err
	}
	return FixCorpus(m, c, allow)
}

// FixCorpus is Fix for files that have been read. It does not change m.
func FixCorpus(m *corpus.Corpus, c config.Config, allow Allow) (Result, error) {
	result := Result{NoIndex: m.IndexMissing}
	work := withLineEnd(m)
	impossible := refusals{}
	left := impossible.drop(Check(&work, c))
	for range maxRounds {
		r := round{before: work, after: work}
		fixed := accept(left, allow)
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
func withLineEnd(m *corpus.Corpus) corpus.Corpus {
	work := *m
	work.Index = m.Index.WithLineEnd()
	return work
}

// byFix groups findings by their fix.
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

// round is a set of fixes that are made together.
type round struct {
	before, after corpus.Corpus
	fixed         []finding.Finding
	edits         []finding.Edit
}

// make makes all fixes of a round that lose no line. It finds the others by bisection and
// adds them to impossible.
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
	if intact(r.before.Index, after.Index, fixed) {
		r.after, r.fixed, r.edits = after, fixed, edits
		return nil
	}
	if len(groups) == 1 {
		impossible.add(groups[0])
		return nil
	}
	half := len(groups) / 2
	if err := r.make(groups[:half], impossible); err != nil {
		return err
	}
	return r.make(groups[half:], impossible)
}

// refusals are the findings whose fixes cannot be made, by rule, path and message, which stay
// the same while others are fixed.
type refusals map[[3]string]bool

func (r refusals) add(findings []finding.Finding) {
	for _, f := range findings {
		r[[3]string{f.Rule, f.Path, f.Message}] = true
	}
}

// drop removes the fixes that cannot be made from findings.
func (r refusals) drop(findings []finding.Finding) []finding.Finding {
	for i, f := range findings {
		if r[[3]string{f.Rule, f.Path, f.Message}] {
			findings[i].Fix = nil
		}
	}
	return findings
}

// intact reports whether fixes have kept all lines that they should keep. An entry with "-->" in
// its title that moves behind a stray "<!--" would close a comment and hide the lines between.
func intact(before, after *index.File, fixed []finding.Finding) bool {
	removed, emptied := 0, 0 // entries, sections
	for _, f := range fixed {
		if f.Rule == "duplicate-trigger" {
			removed++
		}
		if f.Rule == "unknown-file" && len(f.Fix.Removed) > 0 {
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

// accept selects the findings to fix in one round: those with an allowed fix whose edits do
// not conflict with others, in the order of the rules.
func accept(findings []finding.Finding, allow Allow) (fixed []finding.Finding) {
	byRule := map[string][]finding.Finding{}
	for _, f := range findings {
		if allow.allows(f.Fix) {
			byRule[f.Rule] = append(byRule[f.Rule], f)
		}
	}
	decided := map[*finding.Fix]bool{}
	taken := editSet{}
	for _, r := range rules {
		for _, f := range byRule[r.name] {
			if _, known := decided[f.Fix]; !known {
				decided[f.Fix] = taken.add(f.Fix.Edits)
			}
			if decided[f.Fix] {
				fixed = append(fixed, f)
			}
		}
	}
	return fixed
}

// editSet holds edits that can be made together, by path, sorted by offset.
type editSet map[string][]finding.Edit

// add adds edits. If they conflict with each other or with the set, it adds none and returns false.
func (s editSet) add(edits []finding.Edit) bool {
	for n, e := range edits {
		others := s[e.Path]
		at, _ := slices.BinarySearchFunc(others, e, byOffset)
		for _, near := range others[max(0, at-2):min(len(others), at+2)] {
			if finding.Conflict(e, near) {
				s.remove(edits[:n])
				return false
			}
		}
		s[e.Path] = slices.Insert(others, at, e)
	}
	return true
}

func (s editSet) remove(edits []finding.Edit) {
	for _, e := range edits {
		at := slices.Index(s[e.Path], e)
		s[e.Path] = slices.Delete(s[e.Path], at, at+1)
	}
}

func byOffset(a, b finding.Edit) int { return cmp.Or(a.Start-b.Start, a.End-b.End) }

// apply makes the edits and parses the changed files again. It does not change m.
func apply(m corpus.Corpus, edits []finding.Edit) (corpus.Corpus, error) {
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
			m.Decisions[i] = file.WithSource(src)
		}
	}
	return m, nil
}
