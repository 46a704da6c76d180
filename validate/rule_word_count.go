package validate

import (
	"fmt"
	"unicode"

	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/text"
)

// wordCount reports entries with too few words to be found by, or so many that the index
// costs more context than it saves.
func wordCount(k *check, report func(finding.Finding)) {
	for _, i := range k.unique {
		n := words(k.Index.Lines[i].Entry)
		switch allowed := k.config.WordCount; {
		case n < allowed.Min:
			report(k.atLine(i, "%d words, fewer than the minimum of %d: add words to the description", n, allowed.Min))
		case n > allowed.Max:
			report(k.atLine(i, "%d words, more than the maximum of %d: %s", n, allowed.Max, k.whatToShorten(i)))
		}
	}
}

// whatToShorten says what brings the entry of a line down to the words that are allowed. The description
// keeps one at least.
func (k *check) whatToShorten(i int) string {
	e, maxWords := k.Index.Lines[i].Entry, k.config.WordCount.Max
	trigger, title := CountWords(e.Trigger.Text), CountWords(e.Title.Text)
	if trigger+title < maxWords {
		return "shorten the description"
	}
	if title+1 < maxWords {
		return fmt.Sprintf("shorten the trigger, which has %d beside the %d of the title", trigger, title)
	}
	if at, known := k.target(i); known && k.heading(at).Alias != "" && CountWords(k.heading(at).Alias) < title {
		return fmt.Sprintf("write %q, the name of the file, as header title", k.heading(at).Alias)
	}
	return fmt.Sprintf("shorten the title of the heading, which has %d, and that of the entry", title)
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
