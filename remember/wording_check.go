package remember

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"whence/internal/cli"
	"whence/internal/config"
	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/text"
	"whence/validate"
	"whence/when"
)

// A trigger of one word says too little, one of nine is a sentence. Six are mostly enough, but then
// articles are left out that one would say.
const (
	minTriggerWords = 2
	maxTriggerWords = 8
)

// proposal is an entry as it would be, with the situations that are added to those of its heading.
type proposal struct {
	when.Lead
	Header      string // the title in the index, which may be an alias of the heading's
	Description string
	Situations  []string
}

// wordingChecker checks answers against all entries of a memory, and against each other.
type wordingChecker struct {
	wordCount config.Range
	byWords   map[string][]when.Lead // by operator and words of the trigger
	byPhrase  map[string][]when.Lead // by situation
}

// newChecker returns a checker that knows the entries and situations of a memory.
func newChecker(e *validate.Editor, c config.Config) *wordingChecker {
	k := &wordingChecker{c.WordCount, map[string][]when.Lead{}, map[string][]when.Lead{}}
	for i, line := range e.Index().Lines {
		if at, known := e.Target(i); known && line.Kind == index.EntryLine {
			file, h := e.Heading(at)
			k.add(proposal{Lead: when.Lead{Operator: line.Entry.Operator, Trigger: line.Entry.Key().Trigger, Title: h.Title, File: file.Path}})
		}
	}
	for _, file := range e.Decisions() {
		for i, h := range file.Headings {
			k.add(proposal{Lead: when.Lead{Title: h.Title, File: file.Path}, Situations: file.Phrases(i)})
		}
	}
	return k
}

// add makes an entry known: no other may have the words of its trigger, or its situations.
func (k *wordingChecker) add(p proposal) {
	if p.Trigger != "" {
		key := wordsKey(p.Lead)
		k.byWords[key] = append(k.byWords[key], p.Lead)
	}
	for _, phrase := range p.Situations {
		key := decision.Key(phrase)
		k.byPhrase[key] = append(k.byPhrase[key], p.Lead)
	}
}

// wordsKey is the same for triggers that have the same words, in any order and inflection.
func wordsKey(e when.Lead) string {
	words := strings.Fields(e.Trigger)
	for i := range words {
		words[i] = text.English.Stem(words[i])
	}
	slices.Sort(words)
	return e.Operator + " " + strings.Join(words, " ")
}

// check returns an entry as an answer words it, except for what is wrong in the answer, and what to do
// about that. What is right becomes known.
func (k *wordingChecker) check(was proposal, a answer) (p proposal, reasons []string) {
	p = was
	p.Situations = nil
	if a.Trigger != "" {
		e := withTrigger(was.Lead, a.Trigger)
		faults := k.triggerFaults(e)
		if reasons = append(reasons, faults...); len(faults) == 0 {
			p.Lead = e
		}
	}
	if a.Description != "" {
		if isLine(a.Description) && strings.TrimSpace(a.Description) != "" {
			p.Description = strings.Join(strings.Fields(a.Description), " ")
		} else {
			reasons = append(reasons, "the description is blank, has a line break or another control character: write it on one line")
		}
	}
	if why := k.wordCountFault(p); why != "" && (p.Trigger != was.Trigger || p.Description != was.Description) {
		p.Description = was.Description
		if k.wordCountFault(p) != "" {
			p.Lead = was.Lead
			why += ", and pass on the trigger again"
		}
		reasons = append(reasons, why)
	}
	fit, refused := fitPhrases(a.Situations)
	reasons = append(reasons, refused...)
	for _, phrase := range fit {
		others := k.byPhrase[decision.Key(phrase)]
		if i := slices.IndexFunc(others, func(e when.Lead) bool { return !isSame(e, was.Lead) }); i >= 0 {
			reasons = append(reasons, fmt.Sprintf("situation %q is one of %q in %s already: write what only this decision is about", phrase, others[i].Title, others[i].File))
			continue
		}
		p.Situations = append(p.Situations, phrase)
	}
	k.add(p)
	return p, reasons
}

// withTrigger returns an entry with another trigger, which may have an operator.
func withTrigger(e when.Lead, trigger string) when.Lead {
	e.Trigger = index.NormalizeTrigger(trigger)
	first, rest, _ := strings.Cut(e.Trigger, " ")
	if operator, found := strings.CutPrefix(first, "/"); found && index.IsOperator(operator) {
		e.Operator, e.Trigger = operator, rest
	}
	return e
}

func (k *wordingChecker) triggerFaults(e when.Lead) (faults []string) {
	refuse := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if strange := validate.StrangeRunes(e.Trigger); strange != "" || e.Trigger == "" {
		refuse("trigger %q: write lower-case words of letters, digits and - ' / . _ # +", e.Trigger)
	}
	pieces := 0 // of a script without spaces
	text.EachWord(e.Trigger, func([]byte) { pieces++ })
	if n := validate.CountWords(e.Trigger); max(n, pieces) < minTriggerWords || n > maxTriggerWords {
		refuse("trigger %q has %s: write %d to %d", e.Trigger, cli.Count(n, "word", "words"), minTriggerWords, maxTriggerWords)
	}
	for _, other := range k.byWords[wordsKey(e)] {
		if !isSame(other, e) {
			refuse("trigger %q has the words of %q, the trigger of %q in %s: write one that only this decision has", e.Trigger, other.Trigger, other.Title, other.File)
		}
	}
	return faults
}

// wordCountFault says what is wrong with the number of words of an entry, if anything.
func (k *wordingChecker) wordCountFault(p proposal) string {
	used, allowed := validate.CountWords(p.Trigger)+validate.CountWords(p.Header), k.wordCount
	n := used + validate.CountWords(p.Description)
	if n >= allowed.Min && n <= allowed.Max {
		return ""
	}
	return fmt.Sprintf("trigger %q, title and description have %d words together, allowed are %d to %d: write a description of %d to %d words",
		p.Trigger, n, allowed.Min, allowed.Max, max(1, allowed.Min-used), max(1, allowed.Max-used))
}

// isSame reports whether two entries lead to the same heading.
func isSame(a, b when.Lead) bool {
	return a.File == b.File && decision.Key(a.Title) == decision.Key(b.Title)
}

// maxSituationRank is the last rank at which a situation may find its decision: recall shows five.
const maxSituationRank = 3

// maxRecalled is the number of entries that a text is said to lead to.
const maxRecalled = 10

// withoutAstray returns a proposal without what leads to other entries, and the reasons: a trigger leads
// to its entry first, a situation among the first. The library has all proposals.
func (k *wordingChecker) withoutAstray(l *when.Library, was, p proposal) (kept proposal, reasons []string) {
	kept = p
	kept.Situations = nil
	for _, phrase := range p.Situations {
		if fault := astray(l, p.Lead, phrase, maxSituationRank); fault != "" {
			reasons = append(reasons, "situation "+fault)
		} else {
			kept.Situations = append(kept.Situations, phrase)
		}
	}
	if p.Trigger == was.Trigger {
		return kept, reasons
	}
	fault := astray(l, p.Lead, p.Trigger, 1)
	if fault == "" {
		return kept, reasons
	}
	kept.Lead = was.Lead
	if k.wordCountFault(kept) != "" {
		kept.Description = was.Description
	}
	return kept, append(reasons, "trigger "+fault)
}

// astray returns what is wrong with a text that does not find an entry up to a rank, or "".
func astray(l *when.Library, e when.Lead, text string, maxRank int) string {
	found := l.Recall(text, maxRecalled)
	if len(found) == 0 {
		return fmt.Sprintf("%q leads to no entry: write words that say something", text)
	}
	if slices.ContainsFunc(found[:min(maxRank, len(found))], func(other when.Recalled) bool { return isSame(other.Lead, e) }) {
		return ""
	}
	return fmt.Sprintf("%q leads to %q first (%q in %s): write what only this decision is about", text, found[0].Command(), found[0].Title, found[0].File)
}

// fitPhrases returns phrases as situations, of one line with single spaces, without repeated and empty
// ones. It also returns why it refused others.
func fitPhrases(phrases []string) (fit, refused []string) {
	seen := map[string]bool{}
	for _, text := range phrases {
		phrase := strings.Join(strings.Fields(text), " ")
		key := decision.Key(phrase)
		switch n := validate.CountWords(phrase); {
		case phrase == "" || seen[key]:
			continue
		case strings.Contains(phrase, "-->"):
			refused = append(refused, fmt.Sprintf("situation %q has -->, which would end the comment: remove it", phrase))
		case !isLine(phrase):
			refused = append(refused, fmt.Sprintf("situation %q has control characters: remove them", phrase))
		case n > validate.MaxPhraseWords:
			refused = append(refused, fmt.Sprintf("situation %q has %d words: write at most %d, what someone types, does or sees", phrase, n, validate.MaxPhraseWords))
		default:
			seen[key] = true
			fit = append(fit, phrase)
		}
	}
	return fit, refused
}

// isLine reports whether text is one line of UTF-8 without control characters.
func isLine(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && r != '\t' || r == '\u2028' || r == '\u2029'
	})
}
