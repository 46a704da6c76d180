// Package trigger drafts triggers and descriptions of entries from decisions.
//
// A draft is the title with small changes, and has to be reworded: only a reader of the decision knows
// when it applies. docs/migrate.md lists the changes.
package trigger

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"whence/internal/index"
	"whence/internal/lazyregexp"
	"whence/internal/words"
)

// Clip shortens a drafted trigger to so many words.
const (
	minTriggerWords = 2
	maxTriggerWords = 6
)

// Derive drafts the trigger of a title, and its operator: the title in lower case, without articles if
// it is English, and with the -ing form of the verb that it begins with.
func Derive(title string) (operator string, trigger []string) {
	operator, trigger = "when", Words(plain(title))
	isOrder, isEnglish := false, slices.ContainsFunc(trigger, func(w string) bool { return isIn(english, w) })
	switch {
	case begins(trigger, "how", "to"):
		operator, trigger, isEnglish = "how", trigger[2:], true
	case begins(trigger, "when") && strings.EqualFold(trigger[0], strings.Fields(title)[0]): // no code
		trigger, isEnglish = trigger[1:], true
	case begins(trigger, "always"), begins(trigger, "never"), begins(trigger, "don't"):
		trigger, isOrder = trigger[1:], true
	case begins(trigger, "do", "not"):
		trigger, isOrder = trigger[2:], true
	case len(trigger) > 1:
		isOrder = isIn(verbs, trigger[0]) || isIn(nounsToo, trigger[0]) && isIn(articles, trigger[1])
	}
	if isOrder {
		trigger[0], isEnglish = gerund(trigger[0]), true
	}
	if isEnglish {
		trigger = slices.DeleteFunc(trigger, func(w string) bool { return isIn(articles, w) })
	}
	return operator, Clip(trigger, minTriggerWords, maxTriggerWords)
}

// begins reports whether a title has a beginning and goes on.
func begins(title []string, beginning ...string) bool {
	return len(title) > len(beginning) && slices.Equal(title[:len(beginning)], beginning)
}

// Words splits text into lower-case words of the characters that a trigger may hold.
func Words(text string) (all []string) {
	for w := range strings.FieldsSeq(strings.Map(letter, strings.ToLower(text))) {
		w = strings.TrimRight(strings.TrimLeft(w, "-'/#+"), "-'/.")
		if strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			all = append(all, w)
		}
	}
	return all
}

// letter maps a rune to what a trigger holds for it: the rune itself, a space, or nothing (-1).
func letter(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("-'/._#+", r) {
		return r
	}
	if r == '’' {
		return '\''
	}
	if strings.ContainsRune("`()\"*", r) {
		return -1
	}
	return ' '
}

const (
	articles = "a an the"
	english  = "and are from is of that the their this when with" // no words of other languages, mostly

	// verbs begin a title only as an order ("Use X", "Keep Y"), nounsToo only before an article.
	verbs = `add adopt allow apply avoid bind choose collect compile configure convert create declare define delete deploy
		derive describe detect disable drop embed enable encode encrypt enforce ensure expose extract fetch follow generate
		get give handle ignore implement include inject install invoke isolate keep make manage migrate move normalize parse
		pass pick pin prefer prevent propagate protect provide publish put read reduce reject remove rename render replace
		require resolve restrict reuse rotate run save select send separate serialize serve ship skip start stop store
		treat use validate verify wrap write`
	nounsToo = `build cache check commit copy document edit export fix format group guard limit list load lock log match
		merge mock name order plan process query record return schedule set show sort split test track trigger update`

	// doubling are verbs of several syllables whose last consonant -ing doubles.
	doubling = "begin commit embed emit forget omit prefer rerun reset submit"
)

func isIn(list, word string) bool { return slices.Contains(strings.Fields(list), word) }

// short matches verbs of one syllable, with a short vowel before one consonant at its end.
var short = lazyregexp.New(`^[^aeiou]+[aeiou][^aeiouwxy]$`)

// gerund returns the -ing form of a verb.
func gerund(verb string) string {
	stem, isSilent := strings.CutSuffix(verb, "e")
	switch {
	case strings.HasSuffix(verb, "ing"):
		return verb
	case isSilent && len(stem) > 1 && !strings.ContainsAny(stem[len(stem)-1:], "eoy"):
		return stem + "ing"
	case isIn(doubling, verb) || short().MatchString(verb):
		return verb + verb[len(verb)-1:] + "ing"
	}
	return verb + "ing"
}

// Set holds the triggers of an index.
type Set map[index.Key]bool

// Unique reserves the trigger of the given words. If it is in use, it appends a word of the further
// texts, or else a number, which it returns as added.
func (s Set) Unique(operator string, own []string, further ...string) (trigger, added string) {
	isUseless := func(w string) bool { return slices.Contains(own, w) || words.IsStopWord(w) || index.IsOperator(w) }
	more := slices.DeleteFunc(Words(plain(strings.Join(further, " "))), isUseless)
	more = slices.Insert(more, 0, "")
	for n := 0; ; n++ {
		added = fmt.Sprint(n - len(more) + 2)
		if n < len(more) {
			added = more[n]
		}
		trigger = strings.TrimSpace(strings.Join(own, " ") + " " + added)
		key := index.Key{Operator: operator, Trigger: trigger}
		if trigger != "" && !s[key] {
			s[key] = true
			return trigger, added
		}
	}
}
