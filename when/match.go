package when

import (
	"slices"
	"strings"

	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/words"
)

// A trigger is found in three steps, by the second and third only if a single trigger fits:
//
//  1. literally, ignoring case, spaces and final punctuation;
//  2. by the same words: in any order and form ("write" for "writing"), with or without articles and an
//     operator word in front, or by the same letters without spaces and punctuation ("testdata");
//  3. by the same words with one slip, see isSlip. A word that the memory uses is not a slip: "parts" is
//     not a misspelt "party" if a decision says "parts".
//
// A merely similar trigger is only suggested, never answered: readers would mistake its section for the
// one they need.

// find returns the entry with the trigger of a query, or nil.
func (l *Lookup) find(q Query) *memory.Entry {
	if e := l.findLiteral(q); e != nil {
		return e
	}
	asked := phraseOf(q.Trigger)
	if _, rest := spokenOperator(q.Trigger); rest != "" {
		asked = phraseOf(rest)
	}
	var same, slips []*memory.Entry
	slip := ""
	for i, trigger := range l.phrases() {
		e := l.Entries[i]
		if q.Operator != "" && e.Operator != q.Operator {
			continue
		}
		typed, meant := without(asked.words, trigger.words), without(trigger.words, asked.words)
		if len(typed)+len(meant) == 0 || asked.letters == trigger.letters {
			same = append(same, e)
		} else if len(typed) == 1 && len(meant) == 1 && isSlip(typed[0].text, meant[0].text) {
			slips, slip = append(slips, e), typed[0].text
		}
	}
	if len(same) > 0 {
		return single(same)
	}
	if e := single(slips); e != nil && !l.uses(slip) {
		return e
	}
	return nil
}

// findLiteral finds the trigger of a query literally, also behind a spoken operator.
func (l *Lookup) findLiteral(q Query) *memory.Entry {
	if e := l.findExact(q.Operator, q.Trigger); e != nil {
		return e
	}
	operator, rest := spokenOperator(q.Trigger)
	return l.findExact(operator, rest)
}

// findExact compares triggers literally. Without an operator, /when comes first.
func (l *Lookup) findExact(operator, trigger string) *memory.Entry {
	trigger = index.NormalizeTrigger(strings.TrimRight(trigger, ".!?:;, 。！？：；，、…"))
	for _, o := range []string{"when", "how"} {
		if found := l.Keyed(index.Key{Operator: o, Trigger: trigger}); len(found) > 0 && (operator == "" || operator == o) {
			return found[0]
		}
	}
	return nil
}

// spokenOperator splits an operator without a slash off the front of a trigger: "when writing
// tests", "how to write tests". Without one, rest is "".
func spokenOperator(trigger string) (operator, rest string) {
	words := strings.Fields(strings.ToLower(trigger))
	if len(words) < 2 || !index.IsOperator(words[0]) {
		return "", ""
	}
	operator, words = words[0], words[1:]
	if words[0] == "to" && len(words) > 1 {
		words = words[1:]
	}
	return operator, strings.Join(words, " ")
}

// single returns the first of some entries if all have one trigger, or nil.
func single(found []*memory.Entry) *memory.Entry {
	isOther := func(e *memory.Entry) bool { return e.Key().Trigger != found[0].Key().Trigger }
	if len(found) == 0 || slices.ContainsFunc(found, isOther) {
		return nil
	}
	return found[0]
}

// phrase is a trigger as it is compared.
type phrase struct {
	words   []word // without articles
	letters string // without spaces and punctuation
}

// word is a word as written, and its stem.
type word struct{ text, stem string }

// is reports whether two words are the same, or forms of the same.
func (w word) is(o word) bool { return w.text == o.text || w.stem == o.stem }

func phraseOf(trigger string) phrase {
	isArticle := func(w word) bool { return w.text == "a" || w.text == "an" || w.text == "the" }
	return phrase{slices.DeleteFunc(wordsOf(trigger), isArticle), strings.Join(words.Fields(trigger), "")}
}

// wordsOf returns the words of a text, without punctuation.
func wordsOf(s string) []word {
	var all []word
	for _, w := range words.Fields(s) {
		all = append(all, word{w, words.Stem(w)})
	}
	return all
}

// phrases returns the trigger of each entry.
func (l *Lookup) phrases() []phrase {
	l.triggersOnce.Do(func() {
		for _, e := range l.Entries {
			l.triggers = append(l.triggers, phraseOf(e.Trigger.Text))
		}
	})
	return l.triggers
}

// without returns the words that are not among others. Each of the others removes one word.
func without(words, others []word) []word {
	others = slices.Clone(others)
	return slices.DeleteFunc(slices.Clone(words), func(w word) bool {
		at := slices.IndexFunc(others, w.is)
		if at >= 0 {
			others = slices.Delete(others, at, at+1)
		}
		return at >= 0
	})
}

// uses reports whether a word is in the index or in a decision file.
func (l *Lookup) uses(word string) bool {
	holds := func(s string) bool { return slices.Contains(words.Fields(s), word) }
	return words.IsStopWord(word) ||
		slices.ContainsFunc(l.Entries, func(e *memory.Entry) bool {
			return holds(e.Trigger.Text + " " + e.Title.Text + " " + e.Description.Text)
		}) ||
		slices.ContainsFunc(l.Files, func(f *decision.File) bool { return holds(string(f.Source)) })
}
