package text

import "strings"

// FenceOpen reports whether a line, its indentation cut off, opens a code fence,
// and the fence's character and length.
func FenceOpen(line string) (char string, run int, ok bool) {
	for _, char := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, char)
		run := len(line) - len(rest)
		if run >= 3 && !(char == "`" && strings.Contains(rest, "`")) {
			return char, run, true
		}
	}
	return "", 0, false
}
