package validate

import (
	"strings"
	"unicode"

	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/words"
)

// wordCount reports entries with too few words to be found by, or so many that the index
// costs more context than it saves.
func wordCount(a *audit, report func(finding.Finding)) {
	allowed := a.config.WordCount
	for _, e := range a.unique {
		n := wordsOf(e.Entry)
		if n < allowed.Min {
			report(a.atEntry(e, "%d words, fewer than the minimum of %d: add words to the description", n, allowed.Min))
		}
		if n > allowed.Max {
			report(a.atEntry(e, "%d words, more than the maximum of %d: shorten the description, or else the trigger or the heading", n, allowed.Max))
		}
	}
}

// wordsOf counts the words of the three fields, without the operator.
func wordsOf(e index.Entry) int {
	return CountWords(e.Trigger.Text) + CountWords(e.Title.Text) + CountWords(e.Description.Text)
}

// CountWords counts the words of a field, separated by white space and pipes. Of scripts without
// spaces, three characters count as a word.
func CountWords(field string) (n int) {
	isSeparator := func(r rune) bool { return r == '|' || unicode.IsSpace(r) }
	for word := range strings.FieldsFuncSeq(field, isSeparator) {
		if !strings.ContainsFunc(word, words.IsUnspaced) {
			n++
			continue
		}
		unspaced, others := 0, 0
		for _, r := range word {
			if unicode.IsMark(r) {
				continue // part of the character before
			}
			if words.IsUnspaced(r) {
				unspaced++
			} else if words.IsWordRune(r) {
				others = 1
			}
		}
		n += max(1, (unspaced+charsPerWord-1)/charsPerWord+others)
	}
	return n
}

// charsPerWord is how many characters of a script without spaces count as a word.
const charsPerWord = 3
