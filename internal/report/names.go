package report

import (
	"slices"
	"strings"
	"unicode"

	"whence/internal/agent/transcript"
)

// minNameBytes is the size of a name that says which thing is meant.
const minNameBytes = 4

// names returns the names in a text: files, and identifiers of several parts (lock_timeout,
// pool.Get; in code also retrySafe, retry-safe and a/b). Plain words are skipped.
func names(text string) (all []string) {
	for i, part := range strings.Split(text, "`") {
		for _, word := range words(part) {
			if len(word) >= minNameBytes && (isCompound(word) || i%2 == 1 && isCodeCompound(word)) {
				all = append(all, word)
			}
		}
	}
	return all
}

// words returns the words of a text that may be names.
func words(text string) []string {
	all := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(`/\._-`, r)
	})
	for i, word := range all {
		all[i] = strings.Trim(word, `./\_-`)
	}
	return slices.DeleteFunc(all, func(word string) bool { return word == "" })
}

// isCompound reports whether a word is a name wherever it is.
func isCompound(word string) bool {
	if dot := strings.LastIndexByte(word, '.'); dot >= 0 && unicode.IsLetter(rune(word[dot+1])) {
		return true
	}
	return strings.Contains(word, "_")
}

// isCodeCompound reports whether a word is a name in code.
func isCodeCompound(word string) bool {
	return strings.ContainsAny(word, "/-") || strings.ContainsFunc(word[1:], unicode.IsUpper) && strings.ContainsFunc(word, unicode.IsLower)
}

// namesOfEdit returns what an edit may change: its file, by its path from any folder, and the words
// that it writes.
func namesOfEdit(in transcript.Input) map[string]bool {
	if in.Path == "" || in.Written == "" {
		return nil
	}
	all := map[string]bool{}
	for path, found := strings.ReplaceAll(in.Path, `\`, "/"), true; found; _, path, found = strings.Cut(path, "/") {
		all[path] = true
	}
	for _, word := range words(in.Written) {
		all[word] = true
	}
	return all
}
