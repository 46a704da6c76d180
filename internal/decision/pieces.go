package decision

import (
	"fmt"
	"strings"

	"whence/internal/merge"
)

// Pieces cuts a decision file for a merge: into what precedes its first heading, and its headings, each
// with its text up to the next one.
func Pieces(src []byte) (pieces []merge.Piece, tail string) {
	f := Parse("", src)
	cut := func(key string, level, start, end int) {
		part := string(src[start:end])
		text := strings.TrimLeft(part, " \t\r\n")
		bare := strings.TrimRight(text, " \t\r\n")
		if bare == "" {
			tail += part
			return
		}
		pieces = append(pieces, merge.Piece{Key: key, Level: level, Gap: tail + part[:len(part)-len(text)], Text: bare})
		tail = text[len(bare):]
	}
	first := len(src)
	if len(f.Headings) > 0 {
		first = f.Headings[0].Start
	}
	cut("before the headings", 0, 0, first)
	keys := f.pieceKeys()
	for i, h := range f.Headings {
		end := len(src)
		if i+1 < len(f.Headings) {
			end = f.Headings[i+1].Start
		}
		cut(keys[i], h.Level, h.Start, end)
	}
	return pieces, tail
}

// pieceKeys returns a key for each heading: its level and title, for a title that is there twice with
// those of the headings around it.
func (f *File) pieceKeys() []string {
	keys, count := make([]string, len(f.Headings)), map[string]int{}
	for i, h := range f.Headings {
		keys[i] = fmt.Sprint(h.Level, " ", h.Key)
		count[keys[i]]++
	}
	for i, h := range f.Headings {
		if count[keys[i]] > 1 && h.Parent >= 0 {
			keys[i] = keys[h.Parent] + "\n" + keys[i]
		}
	}
	return keys
}
