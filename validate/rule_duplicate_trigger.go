package validate

import (
	"whence/internal/finding"
	"whence/internal/memory"
)

// original is an earlier entry with the same operator and trigger.
type original struct {
	entry     *memory.Entry
	identical bool // byte for byte
}

// duplicateTrigger reports entries with the same operator and trigger. The fix removes
// those that repeat another one byte for byte.
func duplicateTrigger(a *audit, report func(finding.Finding)) {
	for e, original := range a.sameKey {
		number := a.number(original.entry)
		if !original.identical {
			report(a.atField(e, e.Trigger, "duplicate trigger %q: line %d has the same; reword one of them", e.Trigger.Text, number))
			continue
		}
		f := a.atEntry(e, "duplicate entry: the line repeats line %d byte for byte: --fix removes it", number)
		f.Fix = &finding.Fix{
			Edits:   []finding.Edit{a.removal(e.Line)},
			Removed: []string{a.text(e)},
		}
		report(f)
	}
}

// findSameKeys maps each entry to the first that it repeats byte for byte, or else to the first with its key.
func (a *audit) findSameKeys() map[*memory.Entry]original {
	same := map[*memory.Entry]original{}
	byText := make(map[string]*memory.Entry, len(a.Entries))
	for _, e := range a.Entries {
		text := a.text(e)
		if first, seen := byText[text]; seen {
			same[e] = original{first, true}
			continue
		}
		byText[text] = e
		if first := a.Keyed(e.Key())[0]; first != e {
			same[e] = original{entry: first}
		}
	}
	return same
}
