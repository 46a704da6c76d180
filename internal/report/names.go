package report

import (
	"strings"
	"unicode"

	"whence/internal/agent/transcript"
)

// minNameBytes is the size of a name that says which thing is meant.
const minNameBytes = 4

// names calls take with the hash of each name in a text: files, and identifiers of several parts
// (lock_timeout, pool.Get; in code also retrySafe, retry-safe and a/b). Plain words are skipped.
func names(text string, take func(uint64)) {
	for i, part := range strings.Split(text, "`") {
		for word := range words(part) {
			if len(word) >= minNameBytes && (isCompound(word) || i%2 == 1 && isCodeCompound(word)) {
				take(hash(word))
			}
		}
	}
}

// words yields the words of a text that may be names.
func words(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isName(r) }) {
			if word = strings.Trim(word, "./\\_-"); word != "" && !yield(word) {
				return
			}
		}
	}
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

// namesOfEdit returns the hashes of what an edit may change: its file, by its path from any folder,
// and the words that it writes.
func namesOfEdit(in transcript.Input) map[uint64]bool {
	all := map[uint64]bool{}
	for path, found := strings.ReplaceAll(in.Path, `\`, "/"), true; found; _, path, found = strings.Cut(path, "/") {
		all[hash(path)] = true
	}
	for word := range words(in.Written) {
		all[hash(word)] = true
	}
	return all
}
