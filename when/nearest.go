package when

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"whence/internal/memory"
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
	Suggestions []Suggestion // the nearest, best first; if none is near, the first that there are
	Near        bool         // the first shares something with the query
	More        int          // others
}

func (e *NotFound) Error() string { return e.What }

// Left says how many suggestions are not listed; "" if all are.
func (e *NotFound) Left() string {
	if e.More == 0 {
		return ""
	}
	return fmt.Sprintf("… and %d more", e.More)
}

// What is near a query. Words weigh more in a name than beside it, and less with a letter wrong; the letters decide
// between names of the same words.
const (
	maxSuggestions = 5
	nameWeight     = 2.0
	misspelt       = 0.7
)

// candidate is a possible meaning of a query without an answer, by its words.
type candidate struct {
	name    string // the trigger, title or file name
	details string // what is said beside it
}

// suggest sorts candidates by what they share with what was asked, words or at least letters, and suggests the first. Those
// that share nothing count if they are few enough to choose among. The suggestion of a candidate is made of its place in
// the list, and of the words that it shares.
func (e *NotFound) suggest(asked string, all []candidate, few bool, suggestion func(at int, shared []string) Suggestion) {
	wanted, pairs := contentWords(asked), letterPairs(asked)
	scores, shared := make([]float64, len(all)), make([][]string, len(all))
	var order []int
	for i, c := range all {
		scores[i], shared[i] = c.shares(wanted)
		alike := overlap(pairs, letterPairs(c.name))
		if scores[i] > 0 || alike >= minAlike {
			scores[i] += alike
			e.Near = true
		}
		if scores[i] > 0 || few {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	for _, i := range order[:min(len(order), maxSuggestions)] {
		e.Suggestions = append(e.Suggestions, suggestion(i, shared[i]))
	}
	e.More = len(order) - len(e.Suggestions)
}

// shares returns the weight of the wanted words that a candidate has, and these.
func (c candidate) shares(wanted []word) (weight float64, shared []string) {
	name, details := nearWords(c.name), nearWords(c.details)
	for _, w := range wanted {
		here, as := agreement(w, name)
		here *= nameWeight
		if here == 0 {
			here, as = agreement(w, details)
		}
		if here > 0 {
			weight += here
			shared = append(shared, as)
		}
	}
	return weight, shared
}

// minAlike is the share of letter pairs from which two names without a word in common are near: "testdata", "test data".
const minAlike = 0.5

// NoTrigger is the error of a trigger that does not exist: it suggests entries.
func (l *Lookup) NoTrigger(trigger string) *NotFound {
	e := &NotFound{What: fmt.Sprintf("no trigger %q", trigger)}
	var all []candidate
	for _, entry := range l.Entries {
		all = append(all, candidate{entry.Trigger.Text, entry.Title.Text + " " + entry.Description.Text})
	}
	e.suggest(trigger, all, false, func(at int, shared []string) Suggestion {
		why := l.Entries[at].Title.Text
		if len(shared) > 0 {
			why += "; shares " + strings.Join(shared, ", ")
		}
		return Suggestion{l.Entries[at].Query(), why}
	})
	if !e.Near {
		e.What += fmt.Sprintf("; nothing is close: all triggers are in %s", l.typed.Path(l.Layout.Index))
	}
	return e
}

// noSection is the error of a title that names no section, or several, of which each is suggested.
func (l *Lookup) noSection(q Query, found []*memory.Heading) error {
	e := &NotFound{What: fmt.Sprintf("%q names several sections", q.Title)}
	if len(found) == 0 {
		e.What = fmt.Sprintf("no section %q", q.Title)
		found = slices.Clone(l.Headings)
		slices.SortStableFunc(found, func(a, b *memory.Heading) int { return cmp.Compare(groups(b), groups(a)) })
	}
	if named := l.FilesNamed(q.File); q.File != "" {
		found = slices.DeleteFunc(found, func(h *memory.Heading) bool { return !slices.Contains(named, h.File.Path) })
	}
	var all []candidate
	for _, h := range found {
		all = append(all, candidate{name: h.Title})
	}
	e.suggest(q.Title, all, true, func(at int, _ []string) Suggestion {
		command := l.sectionQuery(found[at])
		if command == "" { // twice in one file
			command = l.fileQuery(found[at].File.Path)
		}
		return Suggestion{command, placeOf(found[at])}
	})
	return e
}

// groups returns 1 for a heading that groups others, which is what § is for, or else 0.
func groups(h *memory.Heading) int {
	if h.Structural() {
		return 1
	}
	return 0
}

// noFile is the error of a name that no decision file has, or several, of which each is suggested.
func (l *Lookup) noFile(name string, found []string) error {
	e := &NotFound{What: fmt.Sprintf("%q is the name of several decision files", name)}
	if len(found) == 0 {
		e.What, found = fmt.Sprintf("no decision file %q", name), l.Paths
	}
	var all []candidate
	for _, p := range found {
		all = append(all, candidate{name: strings.TrimSuffix(p, ".md")})
	}
	e.suggest(strings.TrimSuffix(name, ".md"), all, true, func(at int, _ []string) Suggestion {
		return Suggestion{Command: l.fileQuery(found[at])}
	})
	return e
}

// word is a word as written, and its stem.
type word struct{ text, stem string }

// is reports whether two words are the same, or forms of the same.
func (w word) is(o word) bool { return w.text == o.text || w.stem == o.stem }

// contentWords returns the words of a text without stop words, or all if there are only those.
func contentWords(s string) []word {
	all := nearWords(s)
	content := slices.DeleteFunc(slices.Clone(all), func(w word) bool { return words.IsStopWord(w.text) })
	if len(content) == 0 {
		return all
	}
	return content
}

// nearWords returns the words of a text, and of scripts without spaces each pair of characters.
func nearWords(s string) (all []word) {
	for _, w := range words.Fields(s) {
		all = append(all, word{w, words.Stem(w)})
	}
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

// letterPairs counts the pairs of neighbouring letters of a text.
func letterPairs(s string) map[[2]rune]int {
	pairs := map[[2]rune]int{}
	letters := []rune(strings.Join(words.Fields(s), ""))
	for i := range len(letters) - 1 {
		pairs[[2]rune{letters[i], letters[i+1]}]++
	}
	return pairs
}

// overlap returns the Dice coefficient of the letter pairs of two texts, from 0 to 1 if they have the same.
func overlap(a, b map[[2]rune]int) float64 {
	shared, sum := 0, 0
	for pair, n := range a {
		shared += min(n, b[pair])
		sum += n
	}
	for _, n := range b {
		sum += n
	}
	if sum == 0 {
		return 0
	}
	return 2 * float64(shared) / float64(sum)
}
