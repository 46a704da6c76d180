package validate

import (
	"whence/internal/index"
	"whence/internal/memory"
)

// KeepLineEnd edits a memory: it passes on one whose index ends with a line end, so that lines can be added, and
// returns the edited one with a line end there only if that of m has one.
func KeepLineEnd(m *memory.Memory, edit func(*memory.Memory) (*memory.Memory, error)) (*memory.Memory, error) {
	ended := m.Index.WithLineEnd()
	if ended == m.Index {
		return edit(m)
	}
	next, err := edit(m.With(ended, m.Files))
	if err != nil {
		return nil, err
	}
	return m.With(index.Parse(m.Index.TrimLineEnd(next.Index.Source)), next.Files), nil
}
