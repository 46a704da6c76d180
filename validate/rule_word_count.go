package validate

import (
	"unicode"

	"whence/internal/finding"
	"whence/internal/index"
)

// wordCount reports entries with too few words to be found by, or so many that the index
// costs more context than it saves.
func wordCount(k *check, report func(finding.Finding)) {
	for _, i := range k.unique {
		n := words(k.Index.Lines[i].Entry)
		switch allowed := k.config.WordCount; {
		case n < allowed.Min:
			report(k.atLine(i, "%d words, fewer than the allowed %s: add words to the description", n, allowed))
		case n > allowed.Max:
			report(k.atLine(i, "%d words, more than the allowed %s: shorten the description", n, allowed))
		}
	}
}

// words counts the words of the three fields, without the operator.
func words(e index.Entry) int {
	return CountWords(e.Trigger.Text) + CountWords(e.Title.Text) + CountWords(e.Description.Text)
}

// CountWords counts the words of a field, separated by white space and pipes.
func CountWords(field string) int {
	n, inside := 0, false
	for _, r := range field {
		if between := r == '|' || unicode.IsSpace(r); between == inside {
			inside = !between
			if inside {
				n++
			}
		}
	}
	return n
}
