package text

import "strings"

// IsShellWord reports whether no shell changes a word.
func IsShellWord(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !strings.ContainsRune("_@%+=:,./-", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// ShellWord returns a word for a command line that the user types in sh, quoted if it has to be.
func ShellWord(word string) string {
	if IsShellWord(word) {
		return word
	}
	return ShellQuote(word)
}

// ShellQuote returns a word quoted for sh.
func ShellQuote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
