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
	"whence/internal/trigger"
	"whence/internal/words"
	"whence/validate"
	"whence/when"
)

// A trigger of one word says too little, one of nine is a sentence. Six words are mostly enough, but a
// limit of six would cost articles that one would say.
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

// check returns an entry as an answer words it. The reasons say what is wrong with the answer, and what to
// do about that.
func check(was proposal, a answer, wordCount config.Range) (p proposal, reasons []string) {
	refuse := func(format string, args ...any) { reasons = append(reasons, fmt.Sprintf(format, args...)) }
	p = was
	if a.Trigger != "" {
		p.Lead = withTrigger(was.Lead, a.Trigger)
		if strange := validate.StrangeRune(p.Trigger); strange != "" || p.Trigger == "" {
			refuse("trigger %q: write lower-case words of letters, digits and - ' / . _ # +", p.Trigger)
		}
		pieces := 0 // of a script without spaces
		words.EachWord(p.Trigger, func([]byte) { pieces++ })
		if n := words.Count(p.Trigger); max(n, pieces) < minTriggerWords || n > maxTriggerWords {
			refuse("trigger %q has %s: write %d to %d", p.Trigger, cli.Count(n, "word", "words"), minTriggerWords, maxTriggerWords)
		}
	}
	if a.Description != "" {
		if isLine(a.Description) && strings.TrimSpace(a.Description) != "" {
			p.Description = strings.Join(strings.Fields(a.Description), " ")
		} else {
			refuse("the description is blank, or has a line break or other control character: write it on one line")
		}
	}
	used := words.Count(p.Trigger) + words.Count(p.Header)
	if said := strings.Fields(p.Description); a.Trigger != "" && a.Description == "" && used+words.Count(p.Description) > wordCount.Max { // as in a draft
		p.Description = strings.Join(trigger.Clip(said, max(1, wordCount.Min-used), max(1, wordCount.Max-used)), " ")
	}
	n := used + words.Count(p.Description)
	if (n < wordCount.Min || n > wordCount.Max) && a.Trigger+a.Description != "" {
		refuse("trigger %q, title and description have %d words together, but %d to %d are allowed: write a description of %d to %d words",
			p.Trigger, n, wordCount.Min, wordCount.Max, max(1, wordCount.Min-used), max(1, wordCount.Max-used))
	}
	var refused []string
	p.Situations, refused = fitPhrases(a.Situations)
	return p, append(reasons, refused...)
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

// isSame reports whether two entries lead to the same heading.
func isSame(a, b when.Lead) bool {
	return a.File == b.File && decision.Key(a.Title) == decision.Key(b.Title)
}

// maxSituationRank is the last rank at which a situation may find its decision: recall shows five.
const maxSituationRank = 3

// maxRecalled is the maximum number of entries to recall for a text.
const maxRecalled = 10

// astray returns the reasons against an entry whose texts lead to other entries: a new trigger must recall its
// entry first, a situation among the first maxSituationRank.
func astray(l *when.Lookup, was, now proposal) (reasons []string) {
	if now.Trigger != was.Trigger {
		if fault := strayFault(l, now.Lead, now.Trigger, 1); fault != "" {
			reasons = append(reasons, "trigger "+fault)
		}
	}
	for _, phrase := range now.Situations {
		if fault := strayFault(l, now.Lead, phrase, maxSituationRank); fault != "" {
			reasons = append(reasons, "situation "+fault)
		}
	}
	return reasons
}

// strayFault returns what is wrong with a text that does not find an entry up to a rank, or "".
func strayFault(l *when.Lookup, e when.Lead, text string, maxRank int) string {
	found := l.Recall(text, maxRecalled)
	if len(found) == 0 {
		return fmt.Sprintf("%q leads to no entry: write words that say something", text)
	}
	if slices.ContainsFunc(found[:min(maxRank, len(found))], func(other when.Recalled) bool { return isSame(other.Lead, e) }) {
		return ""
	}
	return fmt.Sprintf("%q leads to %q first (%q in %s): write what only this decision is about", text, found[0].Command(), found[0].Title, found[0].File)
}

// fitPhrases returns phrases as situations: on one line with single spaces, without repeated and empty
// ones. It also returns why it refused others.
func fitPhrases(phrases []string) (fit, refused []string) {
	seen := map[string]bool{}
	for _, text := range phrases {
		phrase := strings.Join(strings.Fields(text), " ")
		key := decision.Key(phrase)
		switch n := words.Count(phrase); {
		case phrase == "" || seen[key]:
			continue
		case strings.Contains(phrase, "-->") || !isLine(phrase):
			refused = append(refused, fmt.Sprintf("situation %q has -->, which would end the comment, or control characters: remove them", phrase))
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
