package validate

import (
	"whence/internal/finding"
	"whence/internal/index"
)

// duplicateTrigger reports entries that cannot be told apart when looked up. One
// that repeats another byte for byte is removed by --fix.
func duplicateTrigger(k *check) []finding.Finding {
	var found []finding.Finding
	for i, first := range k.same {
		line, original := k.Index.Lines[i], k.Index.Lines[first]
		if _, repeated := k.repeats[i]; repeated {
			f := k.atLine(i, "duplicate entry: the line repeats line %d byte for byte: --fix removes it", original.Number)
			f.Fix = &finding.Fix{
				Edits:   []finding.Edit{k.edit(wholeLine(line), "")},
				Removed: []string{k.Index.Text(line)},
			}
			found = append(found, f)
			continue
		}
		found = append(found, k.atOffset(i, line.Entry.Trigger.Start,
			"duplicate trigger %q: line %d has the same; word this one by its own situation", line.Entry.Trigger.Text, original.Number))
	}
	return found
}

// sameTrigger maps each entry whose key another one has to that other one: the
// first with this key, or for a repeated line its original.
func (k *check) sameTrigger() map[int]int {
	same := map[int]int{}
	first := map[index.Key]int{}
	for _, i := range k.entries {
		if original, repeated := k.repeats[i]; repeated {
			same[i] = original
			continue
		}
		key := k.Index.Lines[i].Entry.Key()
		if original, taken := first[key]; taken {
			same[i] = original
		} else {
			first[key] = i
		}
	}
	return same
}

// findRepeats maps each entry that repeats another one byte for byte to that
// other one. The original is the first that stands in its heading's section, or
// else the first of all.
func (k *check) findRepeats() map[int]int {
	groups := map[string][]int{}
	for _, i := range k.entries {
		text := k.Index.Text(k.Index.Lines[i])
		groups[text] = append(groups[text], i)
	}
	repeats := map[int]int{}
	for _, group := range groups {
		original := group[0]
		for _, i := range group {
			if k.inPlace(i) {
				original = i
				break
			}
		}
		for _, i := range group {
			if i != original {
				repeats[i] = original
			}
		}
	}
	return repeats
}

// inPlace tells whether an entry stands in the section of its heading's file.
func (k *check) inPlace(i int) bool {
	h, known := k.targets[i]
	return known && k.Decisions[h.file].Path == k.section(k.Index.Lines[i]).Path
}
