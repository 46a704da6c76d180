package inert

import (
	"strconv"
	"strings"
	"unicode"
)

// Path returns a path for a message. A path with a character that might seem to end it, such as white space, a
// colon or a quote, is put in double quotes with escapes, as git does; other paths are not changed.
func Path(path string) string {
	if path != "" && !strings.ContainsFunc(path, func(r rune) bool { return !isPlainInPath(r) }) {
		return path
	}
	return Printable(strconv.Quote(path))
}

func isPlainInPath(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.N) && !IsUnseen(r) || strings.ContainsRune("/._-+@#~,=%&()*?!$^[]{}", r)
}
