// Package trigger drafts triggers and descriptions of entries from decisions.
//
// A draft has to be reworded: only a reader of the decision knows when it applies. docs/migrate.md lists the rules.
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

const (
	minTriggerWords = 2
	maxTriggerWords = 7
	longTitleWords  = 5 // a title with more is cut at its colon or dash
)

// Derive drafts the trigger of an entry, and its operator: an activity ("using one queue") if the title, or else the
// description, begins with a known verb; else the title in lower case. The trigger takes at most half of the words that
// the title of the heading leaves. The description counts only if it still shows the verb in the words left beside the
// trigger.
func Derive(title, description string, wordsLeft int) (operator string, trigger []string) {
	room := max(minTriggerWords, min(maxTriggerWords, (wordsLeft+1)/2))
	left := strings.Join(Clip(strings.Fields(description), 1, max(1, wordsLeft-room)), " ")
	if len(activity(firstClause(left))) < minTriggerWords {
		description = ""
	}
	operator, trigger = derive(title, description)
	return operator, Clip(trigger, minTriggerWords, room)
}

// derive drafts a trigger of any length.
func derive(title, description string) (operator string, trigger []string) {
	title = plain(title)
	trigger = Words(title)
	switch {
	case begins(trigger, "how", "to"):
		return "how", trigger[2:]
	case begins(trigger, "when") && startsWithWord(title):
		return "when", trigger[1:]
	case len(trigger) > 1 && kindOf(trigger[0]) == gerundForm:
		return "when", trigger
	}
	subject := titleEnd().Split(title, 2)[0]
	doing := activity(subject)
	if doing == nil {
		doing = activity(firstClause(description))
		if len(doing) < 3 || isIn(pronouns, doing[1]) { // it says too little without its title
			doing = nil
		}
	}
	if subject := Words(subject); len(trigger) > longTitleWords && len(subject) >= minTriggerWords {
		trigger = subject
	}
	if doing != nil && words.LanguageOf(title) == words.English && words.LanguageOf(description) == words.English {
		trigger = doing
	}
	return "when", trigger
}

var (
	titleEnd  = lazyregexp.New(`[:;]\s|\s[—–-]\s`)
	clauseEnd = lazyregexp.New(`[,:;]\s|\s[—–-]\s|\s\(|[.!?]\s+\p{Lu}`)
)

// firstClause returns a description up to its first comma or other mark.
func firstClause(description string) string { return clauseEnd().Split(description, 2)[0] }

// activity returns the activity that a clause asks for, or nil.
func activity(clause string) []string {
	clause = strings.TrimSpace(clause)
	if !startsWithWord(clause) {
		return nil
	}
	all, isOrder := Words(clause), false
	for {
		rest, found := cutAny(all, orders)
		isOrder = isOrder || found
		if !found {
			rest, found = cutAny(all, adverbs)
		}
		if !found {
			break
		}
		all = rest
	}
	if isOrder && len(all) > 1 && kindOf(all[0]) == gerundForm { // "we are using"
		return all
	}
	if !isVerb(all, isOrder) {
		return nil
	}
	for i := 2; i < len(all); i++ {
		isReason := isIn(reasons, all[i]) && !isUnfinished(all[i-1], words.English) && all[i-1] != "sure"
		if isReason || all[i] == "and" && (isVerb(all[i+1:], false) || i == len(all)-2 && kindOf(all[i+1]) != other) {
			all = all[:i]
		}
	}
	for len(all) > minTriggerWords && isUnfinished(all[len(all)-1], words.English) {
		all = all[:len(all)-1]
	}
	return append([]string{gerund(all[0])}, all[1:]...)
}

// isVerb reports whether the first of some words is a verb with an object.
func isVerb(all []string, isOrder bool) bool {
	if _, isCompound := cutAny(append(slices.Clip(all), ""), compounds); isCompound || len(all) < 2 {
		return false
	}
	switch kindOf(all[0]) {
	case verb:
		return true
	case nounToo:
		return isOrder || isIn(objects, all[1]) || slices.Contains(all[2:], "into")
	}
	return false
}

// startsWithWord reports whether a text begins with a word of its own language, not with code, a quotation or a name
// in capitals.
func startsWithWord(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	return strings.IndexFunc(first, unicode.IsLetter) == 0 && !isShout(first)
}

// cutAny removes the first beginning that the words have. Beginnings are separated by |.
func cutAny(all []string, beginnings string) (rest []string, found bool) {
	for beginning := range strings.SplitSeq(beginnings, "|") {
		if b := strings.Fields(beginning); begins(all, b...) {
			return all[len(b):], true
		}
	}
	return all, false
}

// begins reports whether a text has a beginning and continues after it.
func begins(text []string, beginning ...string) bool {
	return len(text) > len(beginning) && slices.Equal(text[:len(beginning)], beginning)
}

// IsDerived reports whether a trigger was drafted from a title and a description, even if its end was left out, or if a
// word was added to make it unique. Titles in lower case count as drafted.
func IsDerived(key index.Key, title, description string) bool {
	operator, derived := derive(title, description)
	has, said := strings.Fields(key.Trigger), activity(firstClause(description))
	isCut := len(said) >= minTriggerWords && begins(has, said...) // the description was cut after the trigger was made
	return operator == key.Operator && (isCut || isCutFrom(has, derived) || isCutFrom(has, Words(plain(title))))
}

// isCutFrom reports whether words are the beginning of others, perhaps with one more word.
func isCutFrom(has, whole []string) bool {
	n := 0
	for n < min(len(has), len(whole)) && (has[n] == whole[n] || strings.ContainsFunc(has[n], words.IsUnspaced) && strings.HasPrefix(whole[n], has[n])) {
		n++
	}
	switch len(has) - n {
	case 0:
		return n > 0 && n >= min(minTriggerWords, len(whole))
	case 1:
		return n > 0 && (n == len(whole) || n == len(Clip(whole, minTriggerWords, maxTriggerWords)) || slices.Contains(whole[n:], has[n]))
	}
	return false
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

// Set holds the triggers of an index.
type Set map[index.Key]bool

// Unique reserves the trigger of the words own. If that is in use, it appends a word of the further texts, or else a
// number, and returns it as added.
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
