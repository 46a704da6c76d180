// Package trigger drafts triggers and descriptions of entries from decisions.
//
// A draft is the title with small changes, which somebody has to word: only who has read a decision knows
// when it applies. docs/migrate.md lists the changes.
package trigger

import (
	"slices"
	"strings"
	"unicode"

	"whence/internal/text"
)

// A draft has minTriggerWords to maxTriggerWords words, if the title has them.
const (
	minTriggerWords = 2
	maxTriggerWords = 6
)

// Confidence is the share of drafts that readers find good, about.
const Confidence = 0.5

// Derive drafts the trigger of a title, and its operator.
func Derive(title string) (operator string, words []string) {
	operator = "when"
	words = Words(plain(title))
	switch {
	case begins(words, "how", "to") && len(words) > 3:
		operator, words = "how", words[2:]
	case begins(words, "when") && begins(strings.Fields(title), words[0]):
		words = words[1:]
	case begins(words, "never"), begins(words, "don't"):
		words = withGerund(words[1:])
	case begins(words, "do", "not"):
		words = withGerund(words[2:])
	case begins(words, "always"):
		words = withVerb(words[1:])
	default:
		words = withVerb(words)
	}
	words = slices.DeleteFunc(words, func(w string) bool { return articles[w] })
	words = shorten(words)
	if len(words) == minTriggerWords-1 {
		words = append([]string{"working", "on"}, words...)
	}
	return operator, words
}

var articles = map[string]bool{"a": true, "an": true, "the": true}

// shorten cuts words that are too many before the last one that leads on, such as "with" or "because".
func shorten(words []string) []string {
	end := min(len(words), maxTriggerWords)
	if len(words) > maxTriggerWords {
		for i := maxTriggerWords; i > minTriggerWords; i-- {
			if leadsOn(words[i]) {
				end = i
				break
			}
		}
	}
	for end > minTriggerWords && leadsOn(words[end-1]) {
		end--
	}
	return words[:end]
}

func leadsOn(word string) bool { return text.IsStopWord(word) || loose()[word] }

// begins reports whether a title begins with some words and goes on.
func begins(title []string, words ...string) bool {
	if len(title) <= len(words) {
		return false
	}
	for i, w := range words {
		if !strings.EqualFold(title[i], w) {
			return false
		}
	}
	return true
}

// withVerb puts the verb that a title begins with into its -ing form.
func withVerb(words []string) []string {
	if len(words) < 2 {
		return words
	}
	if verbs()[words[0]] || nounsToo()[words[0]] && determiners()[words[1]] {
		return withGerund(words)
	}
	return words
}

func withGerund(words []string) []string {
	if len(words) == 0 {
		return nil
	}
	return append([]string{gerund(words[0])}, words[1:]...)
}

var (
	aside   = pattern(`\s+\([^()]*\)`)
	image   = pattern(`!\[[^\]]*\](\([^)]*\)|\[[^\]]*\])`)
	link    = pattern(`\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])`)
	html    = pattern(`<!--.*?(-->|$)|</?[A-Za-z][^<>]*>`)
	label   = pattern(`\s\{[#.:][^{}]*\}\s*$`)
	numbers = pattern(`^\d+[.)]\s+`)
)

// plain returns the text of a title: without Markdown around words, the number before them, and asides.
func plain(title string) string {
	title = image().ReplaceAllString(title, "")
	title = link().ReplaceAllString(title, "$1")
	title = label().ReplaceAllString(title, "")
	parts := strings.Split(title, "`")
	for i := range parts {
		if i%2 == 0 { // no code
			parts[i] = html().ReplaceAllString(parts[i], "")
		}
	}
	title = strings.TrimLeft(strings.Join(parts, ""), ". ")
	return aside().ReplaceAllString(numbers().ReplaceAllString(title, ""), "")
}

// names are spelt with letters only, as a trigger is.
var names = map[string]string{"c++": "cpp", "c#": "csharp", "f#": "fsharp"}

// Words splits text into lower-case words of the characters that a trigger may hold.
func Words(text string) (words []string) {
	for w := range strings.FieldsSeq(strings.ToLower(text)) {
		if name := names[strings.Trim(w, "`*(),.:;\"")]; name != "" {
			words = append(words, name)
			continue
		}
		words = appendWords(words, w)
	}
	return words
}

func appendWords(words []string, text string) []string {
	for w := range strings.FieldsSeq(strings.Map(letter, text)) {
		w = strings.TrimRight(strings.TrimLeft(w, "-'/"), "-'/.")
		if strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			words = append(words, w)
		}
	}
	return words
}

// letter maps a rune to what a trigger holds for it: the rune itself, a space, or nothing (-1).
func letter(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("-'/._", r) {
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
