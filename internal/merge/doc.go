// Package merge merges three versions of a text that is cut into pieces: an index into
// entries, a decision file into sections.
//
// A piece has the same number in all versions, and a parent. What one side added, moved, changed
// or removed is taken; what both changed differently, or one removed and the other changed, is a
// conflict of that piece alone. New pieces stay behind the piece that they were put behind, ours
// before theirs. Index and decision files are merged by the same rules, so that entries and
// headings end up in the same order.
//
// The package is pure. A caller that finds the result to mean something else than its pieces
// falls back to a merge by lines.
package merge
