package validate

import (
	"fmt"
	"slices"

	"whence/internal/cli"
	"whence/internal/decision"
	"whence/internal/inert"
	"whence/internal/memory"
	"whence/internal/words"
)

// maxUnknownStatuses bounds how many statuses are named.
const maxUnknownStatuses = 5

// unknownStatus is a status without a known phrase, and the number of decisions that have it.
type unknownStatus struct {
	words string
	count int
}

// UnknownStatuses returns notes on the statuses without a known phrase, the most frequent first, each with the setting
// that makes it known. Statuses of sections count only in files where one is known: elsewhere, the word may mean
// anything.
func UnknownStatuses(m *memory.Memory) (notes []string) {
	var found []*unknownStatus
	byWords := map[string]*unknownStatus{}
	for _, f := range m.Files {
		isLog := false
		for _, s := range f.Statuses {
			isLog = isLog || s.Kind != decision.NoStatus
		}
		for _, s := range f.Statuses {
			if s.Unknown == "" || !f.Document && !isLog {
				continue
			}
			key := words.Fold(s.Unknown)
			if byWords[key] == nil {
				byWords[key] = &unknownStatus{words: s.Unknown}
				found = append(found, byWords[key])
			}
			byWords[key].count++
		}
	}
	slices.SortStableFunc(found, func(a, b *unknownStatus) int { return b.count - a.count })
	for _, u := range found[:min(len(found), maxUnknownStatuses)] {
		quoted := inert.Quoted(u.words)
		notes = append(notes, fmt.Sprintf("%s the status %s, which is not known: write statuses: {%s: accepted} into .whence.yaml (or proposed, rejected, superseded)",
			cli.Count(u.count, "record has", "records have"), quoted, quoted))
	}
	if more := len(found) - len(notes); more > 0 {
		notes = append(notes, fmt.Sprintf("%s not known", cli.Count(more, "more status is", "more statuses are")))
	}
	return notes
}
