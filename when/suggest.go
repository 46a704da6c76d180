package when

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"whence/internal/text"
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

// Which entries are suggested for a trigger that does not exist. The figures are those of make eval:
// two words of a trigger among others.
const (
	// maxSuggestions is their number. Five include all entries that are meant, four 0.997.
	maxSuggestions = 5

	// minShare is the share of the query's evidence that a suggestion needs. 0.25 loses none of the
	// entries that are meant, 0.32 loses 0.01, 0.4 loses 0.14.
	minShare = 0.25

	// triggerWeight is the weight of a word in the trigger; in title or description it is 1. misspelt is
	// the weight of a word with a letter wrong. Results are the same for 1.5 to 2.6, and for 0.5 to 0.9.
	triggerWeight = 2.0
	misspelt      = 0.7
)

// Suggest returns the entries that share most with a query, by the words of trigger, title and
// description, the nearest first. Rare words count more, words of the trigger twice, words with a
// letter wrong less. Words that occur nowhere, and stop words, do not count.
func (l *Library) Suggest(query string) []Suggestion {
	triggers, details := l.phrases(), make([][]word, len(l.entries))
	for i, e := range l.entries {
		details[i] = wordsOf(e.Title.Text + " " + e.Description.Text)
	}
	scores := make([]float64, len(l.entries))
	shared := make([][]string, len(l.entries))
	maxScore := 0.0 // of an entry with all words of the query in its trigger
	for _, w := range wordsOf(query) {
		if text.IsStopWord(w.text) {
			continue
		}
		weights, n := make([]float64, len(l.entries)), 0.0
		for i := range weights {
			weight, as := agreement(w, triggers[i].words)
			weights[i] = triggerWeight * weight
			if weight, asDetail := agreement(w, details[i]); weight > weights[i] {
				weights[i], as = weight, asDetail
			}
			if weights[i] > 0 {
				shared[i] = append(shared[i], as)
				n++
			}
		}
		if n == 0 {
			continue
		}
		rarity := math.Log(1 + (float64(len(weights))-n+0.5)/(n+0.5))
		maxScore += triggerWeight * rarity
		for i, weight := range weights {
			scores[i] += weight * rarity
		}
	}
	var order []int
	for i, score := range scores {
		if score > 0 && score >= minShare*maxScore {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	var suggestions []Suggestion
	for _, i := range order[:min(len(order), maxSuggestions)] {
		slices.Sort(shared[i])
		suggestions = append(suggestions, Suggestion{
			Command: l.entries[i].command(),
			Why:     fmt.Sprintf("%s; shares %s", l.entries[i].Title.Text, strings.Join(slices.Compact(shared[i]), ", ")),
		})
	}
	return suggestions
}

// agreement returns 1 if a word is among others in any form, misspelt with a letter wrong, or else 0; and
// the word that they share.
func agreement(w word, others []word) (weight float64, as string) {
	if slices.ContainsFunc(others, w.is) {
		return 1, w.text
	}
	at := slices.IndexFunc(others, func(o word) bool { return text.OneTypo(w.text, o.text) })
	if at < 0 {
		return 0, ""
	}
	return misspelt, others[at].text
}
