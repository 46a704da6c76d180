package validate

import (
	"whence/internal/config"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/words"
)

// minOtherWords is the number of words that a trigger and a description need in addition to a heading.
const minOtherWords = 3

// wordCount reports entries with too few words to be found, or so many that the index costs more context than it saves.
func wordCount(a *audit, report func(finding.Finding)) {
	allowed := a.config.WordCount
	for _, e := range a.unique {
		n := wordsOf(e.Entry)
		if n < allowed.Min {
			report(a.atEntry(e, "%d words, fewer than the minimum of %d: add words to the description", n, allowed.Min))
		}
		if heading := words.Count(e.Title.Text); n > allowed.Max && heading > allowed.Max-minOtherWords {
			report(a.atEntry(e, "%d words, more than the maximum of %d, and its heading alone has %d: shorten the heading, or allow more by validate.word-count in %s", n, allowed.Max, heading, config.ProjectFile))
		} else if n > allowed.Max {
			report(a.atEntry(e, "%d words, more than the maximum of %d: shorten the description, or else the trigger or the heading", n, allowed.Max))
		}
	}
}

// wordsOf counts the words of the three fields, without the operator.
func wordsOf(e index.Entry) int {
	return words.Count(e.Trigger.Text) + words.Count(e.Title.Text) + words.Count(e.Description.Text)
}
