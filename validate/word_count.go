package validate

import (
	"strings"

	"whence/internal/finding"
	"whence/internal/index"
)

// wordCount reports entries whose fields together have too few words to be found
// by, or so many that the index costs more context than it saves.
func wordCount(k *check) []finding.Finding {
	var found []finding.Finding
	for _, i := range k.originals {
		n := words(k.Index.Lines[i].Entry)
		switch allowed := k.config.WordCount; {
		case n < allowed.Min:
			found = append(found, k.atLine(i, "%d words, fewer than the allowed %s: add words to the description", n, allowed))
		case n > allowed.Max:
			found = append(found, k.atLine(i, "%d words, more than the allowed %s: shorten the description", n, allowed))
		}
	}
	return found
}

// words counts the words of the three fields: what stands between blanks. The
// operator is none, nor is a pipe, be it a separator or not.
func words(e index.Entry) int {
	n := 0
	for _, field := range []index.Field{e.Trigger, e.Title, e.Description} {
		n += len(strings.Fields(strings.ReplaceAll(field.Text, "|", " ")))
	}
	return n
}
