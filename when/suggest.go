package when

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/words"
)

// Suggestion is a query that has an answer, and why it is suggested.
type Suggestion struct {
	Command string `json:"command"`
	Why     string `json:"why,omitempty"`
}

// NotFound is the error of a query without an answer.
type NotFound struct {
	What        string
	Suggestions []Suggestion
}

func (e *NotFound) Error() string { return e.What }

// Which entries are suggested for a trigger that does not exist. In make eval, with two words of a trigger
// among others, five include all entries that are meant.
const (
	maxSuggestions = 5
	triggerWeight  = 2.0 // of a word in the trigger; in title or description it is 1
	misspelt       = 0.7 // of a word with a letter wrong
)

// Suggest returns the entries that share most with a query, by the words of trigger, title and description, the
// nearest first. Stop words do not count.
func (l *Lookup) Suggest(query string) (suggestions []Suggestion) {
	isStopWord := func(w word) bool { return words.IsStopWord(w.text) }
	asked := slices.DeleteFunc(nearWords(query), isStopWord)
	scores := make([]float64, len(l.Entries))
	shared := make([][]string, len(l.Entries))
	var order []int
	for i, e := range l.Entries {
		trigger, details := nearWords(e.Trigger.Text), nearWords(e.Title.Text+" "+e.Description.Text)
		for _, w := range asked {
			weight, as := agreement(w, trigger)
			weight *= triggerWeight
			if weight == 0 {
				weight, as = agreement(w, details)
			}
			if weight > 0 {
				scores[i] += weight
				shared[i] = append(shared[i], as)
			}
		}
		if scores[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	for _, i := range order[:min(len(order), maxSuggestions)] {
		why := fmt.Sprintf("%s; shares %s", l.Entries[i].Title.Text, strings.Join(shared[i], ", "))
		suggestions = append(suggestions, Suggestion{l.Entries[i].Query(), why})
	}
	return suggestions
}

// nearWords returns the words of a text, and of scripts without spaces each pair of characters.
func nearWords(s string) []word {
	all := wordsOf(s)
	words.EachWord(s, func(pair []byte) {
		if r, _ := utf8.DecodeRune(pair); words.IsUnspaced(r) {
			all = append(all, word{string(pair), string(pair)})
		}
	})
	return all
}

// agreement returns 1 if a word is among others in any form, misspelt with a letter wrong, or else 0; and
// the word that they share.
func agreement(w word, others []word) (weight float64, as string) {
	if slices.ContainsFunc(others, w.is) {
		return 1, w.text
	}
	at := slices.IndexFunc(others, func(o word) bool { return words.OneTypo(w.text, o.text) })
	if at < 0 {
		return 0, ""
	}
	return misspelt, others[at].text
}
