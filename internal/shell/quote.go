package shell

import "strings"

// IsPlain reports whether no shell changes a word.
func IsPlain(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !strings.ContainsRune("_@%+=:,./-", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// Word returns a word for a command line that the user types in sh, quoted if it has to be.
func Word(word string) string {
	if IsPlain(word) {
		return word
	}
	return Quote(word)
}

// Quote returns a word quoted for sh.
func Quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
