package validate

import (
	"unicode"

	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/text"
)

// wordCount reports entries with too few words to be found by, or so many that the index
// costs more context than it saves.
func wordCount(k *check, report func(finding.Finding)) {
	allowed := k.config.WordCount
	for _, i := range k.unique {
		entry := k.Index.Lines[i].Entry
		n := words(entry)
		if n < allowed.Min {
			report(k.atLine(i, "%d words, fewer than the minimum of %d: add words to the description", n, allowed.Min))
		}
		if n > allowed.Max {
			report(k.atLine(i, "%d words, more than the maximum of %d: shorten the description, or else the trigger or the heading", n, allowed.Max))
		}
	}
}

// words counts the words of the three fields, without the operator.
func words(e index.Entry) int {
	return CountWords(e.Trigger.Text) + CountWords(e.Title.Text) + CountWords(e.Description.Text)
}

// CountWords counts the words of a field, separated by white space and pipes. Of scripts without
// spaces, three characters count as a word.
func CountWords(field string) int {
	n, unspaced := 0, 0 // unspaced are characters of the present run
	inside := false
	for _, r := range field {
		if unicode.IsMark(r) {
			continue // part of the character before
		}
		if text.IsUnspaced(r) {
			if unspaced%charsPerWord == 0 {
				n++
			}
			unspaced++
			inside = false
			continue
		}
		isWord := r != '|' && !unicode.IsSpace(r)
		if isWord && unspaced > 0 && !text.IsWordRune(r) {
			continue // a sign between such characters
		}
		if isWord && !inside {
			n++
		}
		inside, unspaced = isWord, 0
	}
	return n
}

// charsPerWord is how many characters of a script without spaces count as a word.
const charsPerWord = 3
