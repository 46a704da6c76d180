// Package merge merges three versions of a text, by lines or by pieces: an index by entries, a
// decision file by sections. It also finds the conflicts that git leaves in a text.
//
// What one side added, moved, changed or removed is taken. What both changed differently, or one
// removed and the other changed, is a conflict of that piece alone. A new piece stays after the one
// it was put after, ours before theirs. Index and decision files are merged by the same rules, so
// that entries and headings end up in the same order.
//
// A merge by pieces whose result would be cut into other pieces is replaced by one by lines. The
// package is pure.
package merge
