package report

import (
	"strings"
	"unicode"

	"whence/internal/agent/transcript"
	"whence/internal/lazyregexp"
)

// minNameBytes is the minimum length of a name: shorter ones are ambiguous.
const minNameBytes = 4

// A word is a name if it has several parts, as in lock_timeout, pool.Get and a.go. In code, retrySafe, retry-safe and
// a/b are names, too.
var (
	compound     = lazyregexp.New(`_|\.\pL[^.]*$`)
	codeCompound = lazyregexp.New(`[/-]|\p{Ll}.*\p{Lu}|.\p{Lu}.*\p{Ll}`)
)

// names returns the names in a text whose code is between backticks. It skips plain words.
func names(text string) (all []string) {
	for i, part := range strings.Split(text, "`") {
		isCode := i%2 == 1
		for _, word := range wordsIn(part) {
			if len(word) >= minNameBytes && (compound().MatchString(word) || isCode && codeCompound().MatchString(word)) {
				all = append(all, word)
			}
		}
	}
	return all
}

// wordsIn returns the words of a text that may be names.
func wordsIn(text string) []string {
	all := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(`/\._-`, r)
	})
	for i, word := range all {
		all[i] = strings.Trim(word, `./\_-`)
	}
	return all
}

// namesOfEdit returns the names of what an edit may change: the path of its file relative to each folder above it,
// and the words that it writes.
func namesOfEdit(in transcript.Input) map[string]bool {
	if in.Path == "" || in.Written == "" {
		return nil
	}
	all := map[string]bool{}
	for path, found := strings.ReplaceAll(in.Path, `\`, "/"), true; found; _, path, found = strings.Cut(path, "/") {
		all[path] = true
	}
	for _, word := range wordsIn(in.Written) {
		all[word] = true
	}
	return all
}
