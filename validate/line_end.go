package validate

import (
	"whence/internal/index"
	"whence/internal/memory"
)

// KeepLineEnd edits a memory. edit gets an index that ends with a line end, so that lines can be added. The resulting
// index ends with one only if that of m does.
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
