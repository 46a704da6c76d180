package inert

import (
	"strconv"
	"strings"
	"unicode"
)

// Path returns a path as messages name it: as it is or, if it has a character that could end it there and begin
// something else, such as white space, a colon or a quote, in double quotes with escapes, as git does.
func Path(path string) string {
	if path != "" && !strings.ContainsFunc(path, func(r rune) bool { return !isPlainInPath(r) }) {
		return path
	}
	return Printable(strconv.Quote(path))
}

func isPlainInPath(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.N) && !IsUnseen(r) || strings.ContainsRune("/._-+@#~,=%&()*?!$^[]{}", r)
}
