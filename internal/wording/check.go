package wording

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/parallel"
	"whence/internal/text"
	"whence/internal/trigger"
	"whence/validate"
	"whence/when"
)

// A trigger of one word says too little, one of seven is a sentence. A situation of one word is
// a keyword.
const (
	minTriggerWords = 2
	maxTriggerWords = 6
	minPhraseWords  = 2
)

// Proposal is an entry as it would be.
type Proposal struct {
	when.Lead
	Description string
	Situations  []string
}

// Checker checks proposals against all entries of a memory, those that are proposed included.
type Checker struct {
	wordCount config.Range
	byWords   map[string][]when.Lead // by operator and words of the trigger
	byPhrase  map[string][]when.Lead // by situation
}

// NewChecker returns a checker that knows the entries and situations of a memory.
func NewChecker(e *validate.Editor, c config.Config) *Checker {
	k := &Checker{c.WordCount, map[string][]when.Lead{}, map[string][]when.Lead{}}
	for i, line := range e.Index().Lines {
		if at, known := e.Target(i); known && line.Kind == index.EntryLine {
			file, h := e.Heading(at)
			k.Add(Proposal{Lead: when.Lead{Operator: line.Entry.Operator, Trigger: line.Entry.Key().Trigger, Title: h.Title, File: file.Path}})
		}
	}
	for _, file := range e.Decisions() {
		for i, h := range file.Headings {
			k.addPhrases(when.Lead{Title: h.Title, File: file.Path}, file.Phrases(i))
		}
	}
	return k
}

// Add makes an entry known: no other may have the words of its trigger, or its situations.
func (k *Checker) Add(p Proposal) {
	key := p.Operator + " " + wordsKey(p.Trigger)
	k.byWords[key] = append(k.byWords[key], p.Lead)
	k.addPhrases(p.Lead, p.Situations)
}

func (k *Checker) addPhrases(e when.Lead, phrases []string) {
	for _, phrase := range phrases {
		key := decision.Key(phrase)
		k.byPhrase[key] = append(k.byPhrase[key], e)
	}
}

// wordsKey is the same for texts that have the same words, in any order and inflection.
func wordsKey(phrase string) string {
	words := strings.Fields(index.NormalizeTrigger(phrase))
	for i := range words {
		words[i] = text.StemOf(words[i])
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// Check returns what is wrong with the words of a proposal. If nothing is, it brings the situations to
// one line each. The entry was is the one that the proposal replaces.
func (k *Checker) Check(p *Proposal, was when.Lead) (reasons []string) {
	refuse := func(format string, args ...any) { reasons = append(reasons, fmt.Sprintf(format, args...)) }
	if !index.IsOperator(p.Operator) {
		refuse("operator %q: write when or how", p.Operator)
	}
	k.checkTrigger(p.Lead, was, refuse)
	switch {
	case strings.TrimSpace(p.Description) == "":
		refuse("the description is empty: write the words by which one would search for the decision")
	case !IsLine(p.Description):
		refuse("the description has a line break or another control character: write it on one line")
	default:
		used := validate.CountWords(p.Trigger) + validate.CountWords(p.Title)
		n := used + validate.CountWords(p.Description)
		if allowed := k.wordCount; n < allowed.Min || n > allowed.Max {
			refuse("trigger, header and description have %d words together, allowed are %d to %d: write a description of %d to %d words",
				n, allowed.Min, allowed.Max, max(1, allowed.Min-used), max(1, allowed.Max-used))
		}
	}
	fit, skipped, refused := FitPhrases(p.Situations)
	for _, why := range skipped {
		refuse("%s: leave it out", why)
	}
	reasons = append(reasons, refused...)
	for _, phrase := range fit {
		switch n := len(strings.Fields(phrase)); {
		case n < minPhraseWords || n > validate.MaxPhraseWords:
			refuse("situation %q has %s: write %d to %d, what someone types, does or sees", phrase, countWords(n), minPhraseWords, validate.MaxPhraseWords)
		case wordsKey(phrase) == wordsKey(p.Trigger):
			refuse("situation %q has the words of the trigger: write it in other words", phrase)
		}
		for _, other := range k.byPhrase[decision.Key(phrase)] {
			if !isSame(other, p.Lead) && other != was {
				refuse("situation %q is one of %q in %s already: write what only this decision is about", phrase, other.Title, other.File)
				break
			}
		}
	}
	if len(reasons) == 0 {
		p.Situations = fit
	}
	return reasons
}

func countWords(n int) string {
	if n == 1 {
		return "1 word"
	}
	return fmt.Sprint(n, " words")
}

func (k *Checker) checkTrigger(e, was when.Lead, refuse func(format string, args ...any)) {
	words := trigger.Words(e.Trigger)
	switch fit := strings.Join(words, " "); {
	case len(words) == 0:
		refuse("trigger %q: write lower-case words of letters, digits and - ' / . _ # +", e.Trigger)
		return
	case fit != e.Trigger:
		refuse("trigger %q: write lower-case words of letters, digits and - ' / . _ # +, as in %q", e.Trigger, fit)
		return
	}
	if n := len(words); n < minTriggerWords || n > maxTriggerWords {
		refuse("trigger %q has %s: write %d to %d", e.Trigger, countWords(n), minTriggerWords, maxTriggerWords)
	}
	for _, other := range k.byWords[e.Operator+" "+wordsKey(e.Trigger)] {
		switch {
		case isSame(other, e), other == was:
		case other.Trigger == e.Trigger:
			refuse("trigger %q is that of %q in %s: write one that only this decision has", e.Trigger, other.Title, other.File)
		default:
			refuse("trigger %q has the words of %q, which is that of %q in %s: write one that only this decision has", e.Trigger, other.Trigger, other.Title, other.File)
		}
	}
}

// isSame reports whether two entries lead to the same heading.
func isSame(a, b when.Lead) bool {
	return a.File == b.File && decision.Key(a.Title) == decision.Key(b.Title)
}

// Astray returns what leads to another entry first: the trigger of a proposal, or one of its
// situations. The finder knows the memory with all proposals.
func Astray(f *when.Finder, p Proposal) []string {
	texts := append([]string{p.Trigger}, p.Situations...)
	leads := make([][]when.Lead, len(texts))
	parallel.For(len(texts), func(i int) { leads[i] = f.Leads(texts[i]) })
	var reasons []string
	for i, found := range leads {
		what := fmt.Sprintf("situation %q", texts[i])
		if i == 0 {
			what = fmt.Sprintf("trigger %q", texts[i])
		}
		switch {
		case len(found) == 0:
			reasons = append(reasons, what+" leads to no entry: write words that say something")
		case !isSame(found[0], p.Lead):
			reasons = append(reasons, fmt.Sprintf("%s leads to %q first (%q in %s): write what only this decision is about",
				what, found[0].Command(), found[0].Title, found[0].File))
		}
	}
	return reasons
}
