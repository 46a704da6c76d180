package validate

import (
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
func duplicateTrigger(k *audit, report func(finding.Finding)) {
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

// findSameKeys maps each entry to the first that it repeats byte for byte, or else to the first with its key.
func (k *audit) findSameKeys() map[int]original {
	same := map[int]original{}
	byText, byKey := make(map[string]int, len(k.Entries)), make(map[index.Key]int, len(k.Entries))
	for _, e := range k.Entries {
		text := k.Index.Text(k.Index.Lines[e.Line])
		if first, seen := byText[text]; seen {
			same[e.Line] = original{first, true}
			continue
		}
		byText[text] = e.Line
		if first, seen := byKey[e.Key()]; seen {
			same[e.Line] = original{line: first}
			continue
		}
		byKey[e.Key()] = e.Line
	}
	return same
}
