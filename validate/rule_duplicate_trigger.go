package validate

import (
	"slices"

	"whence/internal/finding"
	"whence/internal/index"
)

// original is an earlier entry with the same operator and trigger.
type original struct {
	line      int
	identical bool // byte for byte
}

// duplicateTrigger reports entries with the same operator and trigger. The fix removes
// those that repeat another one byte for byte.
func duplicateTrigger(k *check, report func(finding.Finding)) {
	for i, original := range k.sameKey {
		line, number := k.Index.Lines[i], k.Index.Lines[original.line].Number
		if !original.identical {
			report(k.atOffset(i, line.Entry.Trigger.Start,
				"duplicate trigger %q: line %d has the same; reword one for its own situation", line.Entry.Trigger.Text, number))
			continue
		}
		f := k.atLine(i, "duplicate entry: the line repeats line %d byte for byte: --fix removes it", number)
		f.Fix = &finding.Fix{
			Edits:   []finding.Edit{k.removal(i)},
			Removed: []string{k.Index.Text(line)},
		}
		report(f)
	}
}

// findSameKeys maps each entry to its byte-identical original, or else to the first entry with its key.
func (k *check) findSameKeys() map[int]original {
	same := map[int]original{}
	byKey := make(map[index.Key][]int, len(k.entries))
	for _, e := range k.entries {
		byKey[e.key] = append(byKey[e.key], e.line)
	}
	for _, lines := range byKey {
		if len(lines) == 1 {
			continue
		}
		k.addIdentical(same, lines)
		first := -1
		for _, i := range lines {
			if same[i].identical {
				continue
			}
			if first < 0 {
				first = i
				continue
			}
			same[i] = original{line: first}
		}
	}
	return same
}

// addIdentical maps each entry that repeats another one byte for byte to its original: the
// first in the section of its heading, or else the first of all.
func (k *check) addIdentical(same map[int]original, lines []int) {
	groups := map[string][]int{}
	for _, i := range lines {
		text := k.Index.Text(k.Index.Lines[i])
		groups[text] = append(groups[text], i)
	}
	for _, group := range groups {
		kept := group[0]
		if at := slices.IndexFunc(group, k.inPlace); at >= 0 {
			kept = group[at]
		}
		for _, i := range group {
			if i != kept {
				same[i] = original{kept, true}
			}
		}
	}
}

// inPlace reports whether an entry is in the section of the file of its heading.
func (k *check) inPlace(i int) bool {
	h, known := k.Target(i)
	return known && k.Decisions[h.File].Section() == k.section(k.Index.Lines[i]).Path
}
