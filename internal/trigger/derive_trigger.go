// Package trigger drafts triggers and descriptions of entries from decisions.
//
// A draft is the title with small changes, and has to be reworded: only a reader of the decision knows
// when it applies. docs/migrate.md lists the changes.
package trigger

import (
	"fmt"
	"html"
	"slices"
	"strings"
	"unicode"

	"whence/internal/decision"
	"whence/internal/index"
	"whence/internal/lazyregexp"
	"whence/internal/words"
)

// maxTriggerWords bounds a draft.
const maxTriggerWords = 6

// Derive drafts the trigger of a title, and its operator: the title in lower case, without articles if
// it is English, and with the -ing form of the verb that it begins with.
func Derive(title string) (operator string, words []string) {
	operator, words = "when", Words(plain(title))
	isOrder, isEnglish := false, slices.ContainsFunc(words, func(w string) bool { return isIn(english, w) })
	switch {
	case begins(words, "how", "to"):
		operator, words, isEnglish = "how", words[2:], true
	case begins(words, "when") && strings.EqualFold(words[0], strings.Fields(title)[0]): // no code
		words, isEnglish = words[1:], true
	case begins(words, "always"), begins(words, "never"), begins(words, "don't"):
		words, isOrder = words[1:], true
	case begins(words, "do", "not"):
		words, isOrder = words[2:], true
	case len(words) > 1:
		isOrder = isIn(verbs, words[0]) || isIn(nounsToo, words[0]) && isIn(articles, words[1])
	}
	if isOrder {
		words[0], isEnglish = gerund(words[0]), true
	}
	if isEnglish {
		words = slices.DeleteFunc(words, func(w string) bool { return isIn(articles, w) })
	}
	return operator, Clip(words, maxTriggerWords, 2)
}

// begins reports whether a title begins with some words and goes on.
func begins(title []string, words ...string) bool {
	return len(title) > len(words) && slices.Equal(title[:len(words)], words)
}

// itemNumber matches the number of a title in a list of decisions.
var itemNumber = lazyregexp.New(`^\d+[.)]\s+`)

// plain returns the text of a title in Markdown, without the number before it.
func plain(title string) string {
	title = strings.TrimLeft(title, ". ")
	if text := decision.Plain(itemNumber().ReplaceAllString(title, "")); text != "" {
		return html.UnescapeString(text)
	}
	return title // all of it is crossed out, or an address
}

// Words splits text into lower-case words of the characters that a trigger may hold.
func Words(text string) (words []string) {
	for w := range strings.FieldsSeq(strings.Map(letter, strings.ToLower(text))) {
		w = strings.TrimRight(strings.TrimLeft(w, "-'/#+"), "-'/.")
		if strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			words = append(words, w)
		}
	}
	return words
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
