package agent

import (
	"strings"
	"unicode/utf16"
)

// ClaudeProject returns the name of the folder of a project: its path, in which each
// UTF-16 unit other than letters and digits of ASCII becomes a hyphen. Claude Code cuts names of more than 200 characters.
func ClaudeProject(dir string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(dir)) {
		if unit < '0' || unit > '9' && unit < 'A' || unit > 'Z' && unit < 'a' || unit > 'z' {
			unit = '-'
		}
		b.WriteByte(byte(unit))
	}
	return b.String()
}
