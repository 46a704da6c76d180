// Package merge merges three versions of a text, by lines or by pieces: an index by entries, a
// decision file by headings. It also finds the conflicts that git leaves in a text.
//
// A merge by pieces takes what one side changed, and keeps what both added, ours first. Anything else
// it leaves to git. The package is pure.
package merge
