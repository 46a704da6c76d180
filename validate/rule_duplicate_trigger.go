package validate

import (
	"slices"

	"whence/internal/finding"
	"whence/internal/index"
)

// duplicateTrigger reports entries with the same operator and trigger. The fix removes
// those that repeat another one byte for byte.
func duplicateTrigger(k *check, report func(finding.Finding)) {
	for i, first := range k.sameKeyAs {
		line, original := k.Index.Lines[i], k.Index.Lines[first]
		if _, repeated := k.duplicates[i]; repeated {
			f := k.atLine(i, "duplicate entry: the line repeats line %d byte for byte: --fix removes it", original.Number)
			f.Fix = &finding.Fix{
				Edits:   []finding.Edit{k.removal(i)},
				Removed: []string{k.Index.Text(line)},
			}
			report(f)
			continue
		}
		report(k.atOffset(i, line.Entry.Trigger.Start,
			"duplicate trigger %q: line %d has the same; reword one for its own situation", line.Entry.Trigger.Text, original.Number))
	}
}

// sameTrigger maps each entry to an earlier one with the same key: the first one, or its
// byte-identical original. The second map has only the entries with such an original.
func (k *check) sameTrigger() (same, repeats map[int]int) {
	same, repeats = map[int]int{}, map[int]int{}
	first := make(map[index.Key]int, len(k.entries))
	shared := map[index.Key][]int{}
	for n, i := range k.entries {
		key := k.keys[n]
		original, taken := first[key]
		switch {
		case !taken:
			first[key] = i
		case shared[key] == nil:
			shared[key] = []int{original, i}
		default:
			shared[key] = append(shared[key], i)
		}
	}
	for _, lines := range shared {
		k.addRepeats(repeats, lines)
		first := -1
		for _, i := range lines {
			original, repeated := repeats[i]
			switch {
			case repeated:
				same[i] = original
			case first < 0:
				first = i
			default:
				same[i] = first
			}
		}
	}
	return same, repeats
}

// addRepeats maps each entry that repeats another one byte for byte to its original: the
// first in the section of its heading, or else the first of all.
func (k *check) addRepeats(repeats map[int]int, lines []int) {
	groups := map[string][]int{}
	for _, i := range lines {
		text := k.Index.Text(k.Index.Lines[i])
		groups[text] = append(groups[text], i)
	}
	for _, group := range groups {
		original := group[0]
		if at := slices.IndexFunc(group, k.inPlace); at >= 0 {
			original = group[at]
		}
		for _, i := range group {
			if i != original {
				repeats[i] = original
			}
		}
	}
}

// inPlace reports whether an entry is in the section of the file of its heading.
func (k *check) inPlace(i int) bool {
	h, known := k.target(i)
	if file, moved := k.moved[k.Index.Lines[i].Section]; moved {
		return known && k.Decisions[h.File].Section() == k.Decisions[file].Section()
	}
	return known && k.Decisions[h.File].Section() == k.section(k.Index.Lines[i]).Path
}
