package validate

import (
	"fmt"
	"slices"

	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/lazyregexp"
	"whence/internal/memory"
)

// exampleOf returns the line of the preamble that shows what looking up the first entry prints, or "" without entries.
func exampleOf(f *index.File) string {
	first := slices.IndexFunc(f.Lines, func(l index.Line) bool { return l.Kind == index.EntryLine })
	if first < 0 {
		return ""
	}
	e := f.Lines[first].Entry
	return fmt.Sprintf("Example: `/%s %s` returns the %q section + related entries.", e.Operator, e.Trigger.Text, e.Title.Text)
}

// ownExample matches a line made by exampleOf.
var ownExample = lazyregexp.New("^Example: `/(when|how) ([^`]+)` returns the \".*\" section \\+ related entries\\.$")

// withExample returns a memory whose preamble has an example that can be looked up: if its entry was renamed or
// removed, the first entry takes its place.
func withExample(m *memory.Memory) (*memory.Memory, error) {
	now := exampleOf(m.Index)
	for _, line := range m.Index.Lines {
		example := ownExample().FindStringSubmatch(m.Index.Text(line))
		if line.Section >= 0 || example == nil || now == "" {
			continue
		}
		if len(m.Keyed(index.Key{Operator: example[1], Trigger: example[2]})) > 0 {
			continue
		}
		return apply(m, []finding.Edit{{Path: m.Layout.Index, Start: line.Start, End: line.End, New: now}})
	}
	return m, nil
}
