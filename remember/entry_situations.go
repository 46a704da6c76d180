package remember

import (
	"fmt"
	"slices"

	"whence/internal/corpus"
	"whence/internal/finding"
	"whence/validate"
)

// placedSituations are situations for a heading.
type placedSituations struct {
	validate.Place
	phrases []string
}

// withSituations returns the memory with edits of the index, and with situations under their headings.
// It is nil if that changes nothing. No two places are the same.
func withSituations(e *validate.Editor, edits []finding.Edit, wanted []placedSituations) (*corpus.Corpus, error) {
	edits = slices.Clone(edits)
	for _, w := range wanted {
		made, _, err := e.AddSituations(w.Place, w.phrases)
		if err != nil {
			return nil, err
		}
		edits = append(edits, made...)
	}
	if len(edits) == 0 {
		return nil, nil
	}
	after, err := e.Apply(edits...)
	if err != nil {
		return nil, err
	}
	for _, w := range wanted {
		file := after.Decisions[w.File]
		missing := slices.ContainsFunc(w.phrases, func(phrase string) bool {
			return !hasPhrase(file.Phrases(w.Heading), phrase)
		})
		if missing {
			return nil, fmt.Errorf("the situations would not be read under %q of %s: close the comments and fences there first", file.Headings[w.Heading].Title, file.Path)
		}
	}
	return after, nil
}
