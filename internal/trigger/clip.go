package trigger

import (
	"strings"
	"unicode"

	"whence/internal/text"
)

// Clip shortens the words of a description to between minWords and maxWords. It
// cuts after a clause that ends in the last third, or a sentence that ends in the last two thirds,
// or else after a word that can end a phrase, and never within back-quotes, quotes or brackets.
func Clip(words []string, maxWords, minWords int) []string {
	if len(words) <= maxWords {
		return words
	}
	minWords = max(minWords, 1)
	for i, ends := range []func(word string) bool{endsClause, endsSentence, endsPhrase} {
		for n := maxWords; n >= minWords && 3*n > (2-i)*maxWords; n-- {
			if ends(words[n-1]) && openMark(words[:n]) < 0 {
				return trimEnd(words[:n])
			}
		}
	}
	kept := trimEnd(withoutLoose(words[:maxWords], minWords))
	for at := openMark(kept); at >= 0; at = openMark(kept) {
		kept[at] = withoutOpenMark(kept[at])
	}
	return kept
}

// withoutLoose drops trailing words that cannot end a phrase, down to minWords.
func withoutLoose(words []string, minWords int) []string {
	n := len(words)
	for n > minWords && !endsPhrase(words[n-1]) {
		n--
	}
	if n > 0 && endsPhrase(words[n-1]) {
		return words[:n]
	}
	return words
}

func endsClause(word string) bool   { return endsWith(word, ",;:.!?") }
func endsSentence(word string) bool { return endsWith(word, ".!?") }

func endsWith(word, marks string) bool {
	return strings.ContainsAny(word[len(word)-1:], marks) && strings.ContainsFunc(word, unicode.IsLetter)
}

// endsPhrase reports whether a word may end a phrase, unlike an article, a preposition or a dash.
func endsPhrase(word string) bool {
	bare := strings.ToLower(strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
	return bare != "" && !text.IsStopWord(bare) && !loose()[bare]
}

// trimEnd returns a copy of words without trailing punctuation.
func trimEnd(words []string) []string {
	kept := append([]string(nil), words...)
	last := len(kept) - 1
	if text := strings.TrimRight(kept[last], ",;:–—-"); text != "" {
		kept[last] = text
	}
	return kept
}

var closing = map[rune]rune{'(': ')', '[': ']', '{': '}', '“': '”', '`': '`', '"': '"'}

// openMark returns the index of the first word with a mark that is never closed, or -1.
func openMark(words []string) int {
	type mark struct {
		close rune
		word  int
	}
	var open []mark
	for i, w := range words {
		for _, r := range w {
			last := len(open) - 1
			switch {
			case last >= 0 && open[last].close == r:
				open = open[:last]
			case last >= 0 && open[last].close == '`': // code: other marks are text
			case closing[r] != 0:
				open = append(open, mark{closing[r], i})
			}
		}
	}
	if len(open) == 0 {
		return -1
	}
	return open[0].word
}

// withoutOpenMark removes the first unclosed mark of a word.
func withoutOpenMark(word string) string {
	for at, r := range word {
		if closing[r] != 0 && openMark([]string{word[at:]}) >= 0 {
			return word[:at] + word[at+len(string(r)):]
		}
	}
	return word
}
