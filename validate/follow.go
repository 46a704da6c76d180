package validate

import (
	"whence/internal/config"
	"whence/internal/memory"
)

// Follow moves each entry into the section of the file that has its heading now, by the safe fixes of unknown-file and
// wrong-section. It returns the new memory and the number of entries that changed sections.
func Follow(m *memory.Memory, c config.Config) (after *memory.Memory, entries int, err error) {
	before := map[string]string{}
	for _, e := range m.Entries {
		before[m.Index.Text(m.Index.Lines[e.Line])] = e.Section
	}
	after, err = KeepLineEnd(m, func(work *memory.Memory) (*memory.Memory, error) {
		for range maxRounds {
			a := newAudit(work, c)
			_, edits := accept(append(a.run("unknown-file", unknownFile), a.run("wrong-section", wrongSection)...), false)
			if len(edits) == 0 {
				break
			}
			if work, err = apply(work, edits); err != nil {
				return nil, err
			}
		}
		return work, nil
	})
	if err != nil {
		return nil, 0, err
	}
	for _, e := range after.Entries {
		if before[after.Index.Text(after.Index.Lines[e.Line])] != e.Section {
			entries++
		}
	}
	return after, entries, nil
}
