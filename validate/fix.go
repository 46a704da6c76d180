package validate

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"

	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/inert"
	"whence/internal/memory"
)

// maxRounds bounds the rounds of a fix. Each makes all fixes that do not overlap; a line whose place and trigger change
// takes two.
const maxRounds = 20

// Result is the result of a check or a fix.
type Result struct {
	Changes []Change          // files whose text changes, by path
	Fixed   []finding.Finding // at their places before their round
	Left    []finding.Finding // at their places after the fix
	NoIndex bool              // there is no index
	fixed   *memory.Memory    // after the fix, where Left was found; may be nil if nothing was fixed
	known   knownFindings     // of the parents of the commit
	Notes   []finding.Finding // names that may be out of date; they do not stop a commit
	Before  int               // number of findings that the parents of the commit have, too
}

// Change is the text of a file before and after a fix.
type Change struct {
	Path          string
	Before, After []byte
}

// fixTree reads the memory of a tree and fixes it, without writing anything.
func fixTree(tree fs.FS, c config.Config, unsafe bool) (Result, error) {
	m, err := Load(tree, c)
	if err != nil {
		return Result{}, err
	}
	return FixMemory(m, c, unsafe)
}

// FixMemory makes the safe fixes in a memory, and with unsafe also those that guess. It does not change m. Fixing the
// result again changes nothing. Each fix in Fixed lists what it removed: duplicate lines, instructions to scan the
// index.
func FixMemory(m *memory.Memory, c config.Config, unsafe bool) (Result, error) {
	result := Result{}
	after, err := KeepLineEnd(m, func(work *memory.Memory) (*memory.Memory, error) {
		result.Left = Check(work, c)
		for range maxRounds {
			fixed, edits := accept(result.Left, unsafe)
			if len(fixed) == 0 {
				break
			}
			next, err := apply(work, edits)
			if err != nil {
				return nil, err
			}
			work = next
			result.Left = Check(work, c)
			result.Fixed = append(result.Fixed, fixed...)
		}
		return work, nil
	})
	if err != nil {
		return Result{}, err
	}
	result.fixed, result.NoIndex = after, after.IndexMissing
	finding.Sort(result.Fixed)
	result.add(m.Layout.Index, m.Index.Source, after.Index.Source)
	for i, file := range after.Files {
		result.add(file.Path, m.Files[i].Source, file.Source)
	}
	return result, nil
}

func (r *Result) add(path string, before, after []byte) {
	if !bytes.Equal(before, after) {
		r.Changes = append(r.Changes, Change{path, before, after})
	}
}

// accept selects the findings to fix in one round, in the order of the rules: those with an allowed fix that overlaps
// no fix accepted before.
func accept(findings []finding.Finding, unsafe bool) (fixed []finding.Finding, edits []finding.Edit) {
	decided := map[*finding.Fix]bool{}
	taken := takenPlaces{}
	for _, r := range rules {
		for _, f := range findings {
			if f.Rule != r.name || f.Fix == nil || f.Fix.Unsafe && !unsafe {
				continue
			}
			accepted, known := decided[f.Fix]
			if !known {
				accepted = taken.add(f.Fix.Edits)
				decided[f.Fix] = accepted
				if accepted {
					edits = append(edits, f.Fix.Edits...)
				}
			}
			if accepted {
				fixed = append(fixed, f)
			}
		}
	}
	return fixed, edits
}

// takenPlaces holds which places of each file edits change: odd indexes are its bytes, even ones the gaps between them,
// where edits insert.
type takenPlaces map[string][]bool

// add takes the places of some edits. If one of them is taken already, it takes none and returns false.
func (t takenPlaces) add(edits []finding.Edit) bool {
	for _, e := range edits {
		if slices.Contains(t.of(e), true) {
			return false
		}
	}
	for _, e := range edits {
		places := t.of(e)
		for i := range places {
			places[i] = true
		}
	}
	return true
}

// of returns the places of an edit.
func (t takenPlaces) of(e finding.Edit) []bool {
	all := t[e.Path]
	if missing := 2*e.End + 1 - len(all); missing > 0 {
		all = append(all, make([]bool, missing)...)
		t[e.Path] = all
	}
	if e.Start == e.End {
		return all[2*e.Start : 2*e.Start+1]
	}
	return all[2*e.Start+1 : 2*e.End]
}

// apply makes the edits and parses the changed files again. It does not change m.
func apply(m *memory.Memory, edits []finding.Edit) (*memory.Memory, error) {
	byPath := map[string][]finding.Edit{}
	for _, e := range edits {
		byPath[e.Path] = append(byPath[e.Path], e)
	}
	for name := range byPath {
		if name != m.Layout.Index && m.File(name) == nil {
			return nil, fmt.Errorf("an edit of %s, which is not a file of the memory", inert.Path(name))
		}
	}
	ix, files := m.Index, slices.Clone(m.Files)
	if edits := byPath[m.Layout.Index]; edits != nil {
		src, err := finding.Apply(ix.Source, edits)
		if err != nil {
			return nil, err
		}
		ix = index.Parse(src)
	}
	for i, file := range files {
		if edits := byPath[file.Path]; edits != nil {
			src, err := finding.Apply(file.Source, edits)
			if err != nil {
				return nil, err
			}
			files[i] = file.WithSource(src)
		}
	}
	return m.With(ix, files), nil
}
