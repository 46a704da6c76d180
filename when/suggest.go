package when

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"whence/internal/text"
)

// Suggestion is a query that would have an answer, and why it is named.
type Suggestion struct {
	Command string `json:"command"`
	Why     string `json:"why,omitempty"`
}

// NotFound is the error of a query without answer. Its suggestions are queries that
// have one.
type NotFound struct {
	What        string
	Suggestions []Suggestion
}

func (e *NotFound) Error() string { return e.What }

// Suggest names the entries that come near to a trigger, or to any words, the nearest
// first.
func (l *Library) Suggest(trigger string) []Suggestion { return l.suggest(trigger) }

// suggest names the entries that share most with a query, by the words of trigger,
// title and description. Rare words count more, words of the trigger twice, words
// with a letter wrong less. Words that occur nowhere, and stop words, do not count.
func (l *Library) suggest(query string) []Suggestion {
	triggers, rest := l.words().triggers, l.words().descriptions()
	scores := make([]float64, len(l.entries))
	matched := make([][]string, len(l.entries))
	all := 0.0
	for _, w := range l.words().split(query) {
		if text.IsStopWord(w.text) {
			continue
		}
		found, n := make([]agreement, len(triggers)), 0
		for i := range triggers {
			inTrigger, inRest := agrees(w, triggers[i]), agrees(w, rest[i])
			if triggerWeight*inTrigger.share < inRest.share {
				found[i] = inRest
			} else {
				found[i] = agreement{triggerWeight * inTrigger.share, inTrigger.with}
			}
			if found[i].share > 0 {
				n++
			}
		}
		if n == 0 {
			continue
		}
		rarity := math.Log(1 + (float64(len(triggers))-float64(n)+0.5)/(float64(n)+0.5))
		all += triggerWeight * rarity
		for i, f := range found {
			if f.share > 0 {
				scores[i] += f.share * rarity
				matched[i] = append(matched[i], f.with)
			}
		}
	}
	var order []int
	for i, score := range scores {
		if score > 0 && score >= minShare*all {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return scores[order[a]] > scores[order[b]] })
	var suggestions []Suggestion
	for _, i := range order[:min(len(order), maxSuggestions)] {
		slices.Sort(matched[i])
		suggestions = append(suggestions, Suggestion{
			Command: l.entries[i].command(),
			Why:     fmt.Sprintf("%s; shares %s", l.entries[i].Title.Text, strings.Join(slices.Compact(matched[i]), ", ")),
		})
	}
	return suggestions
}

// agreement is how well a word is found among others: 1 as it is or in another form,
// less with a letter wrong, 0 not at all; and how to say so.
type agreement struct {
	share float64
	with  string
}

func agrees(w word, among []word) agreement {
	var best agreement
	for _, o := range among {
		switch {
		case o.text == w.text || o.stem == w.stem:
			return agreement{1, w.text}
		case text.OneTypo(w.text, o.text):
			best = agreement{misspelt, fmt.Sprintf("%s (spelt like %s)", o.text, w.text)}
		}
	}
	return best
}
