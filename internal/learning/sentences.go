package learning

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// abbreviations end with a full stop that ends no sentence.
var abbreviations = wordSet{words: "e.g. i.e. vs. etc. cf. no. approx. resp. fig. incl. ca."}

// firstSentence splits a text after its first sentence: after a full stop, exclamation or
// question mark before a space, or at an empty line.
func firstSentence(text string) (sentence, rest string) {
	if end := sentenceEnd(text, 0); end > 0 {
		return strings.TrimSpace(text[:end]), strings.TrimSpace(text[end:])
	}
	return strings.TrimSpace(text), ""
}

// sentences returns the sentences of a text, see firstSentence.
func sentences(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			var sentence string
			if sentence, text = firstSentence(text); !yield(sentence) {
				return
			}
		}
	}
}

// sentenceEnd returns the end of the first sentence that ends after an offset, or -1 if the
// text ends first.
func sentenceEnd(text string, from int) int {
	for i := from; i < len(text); i++ {
		switch text[i] {
		case '.', '!', '?':
			end := i + 1
			for end < len(text) && strings.IndexByte(`"')`, text[end]) >= 0 {
				end++
			}
			if end < len(text) && isASCIIBlank(text[end]) && !isAbbreviation(text[:i+1]) && startsSentence(text[end:]) {
				return end
			}
		case '\n':
			if i+1 < len(text) && strings.HasPrefix(strings.TrimLeft(text[i+1:], " \t"), "\n") {
				return i
			}
		}
	}
	return -1
}

// startsSentence reports whether a sentence may begin here: not with a lower-case letter,
// unless on a new line.
func startsSentence(text string) bool {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	if strings.Contains(text[:len(text)-len(trimmed)], "\n") {
		return true
	}
	r, _ := utf8.DecodeRuneInString(trimmed)
	return !unicode.IsLower(r) || isIdentifier(firstWord(trimmed))
}

func firstWord(text string) string {
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		return text[:i]
	}
	return text
}

func isAbbreviation(text string) bool {
	word := strings.ToLower(text[strings.LastIndexAny(text, " \t\n(")+1:])
	return abbreviations.has(word)
}

func isASCIIBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

// clip shortens a text to maxBytes: at the end of a sentence if that keeps a third of them,
// otherwise after a word, with an ellipsis.
func clip(text string, maxBytes int) string {
	if len(text) <= maxBytes {
		return text
	}
	best := -1
	for end := sentenceEnd(text, 0); end >= 0 && end <= maxBytes; end = sentenceEnd(text, end+1) {
		best = end
	}
	if best >= maxBytes/3 {
		return strings.TrimSpace(text[:best])
	}
	const ellipsis = "…"
	cut := maxBytes - len(ellipsis)
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	if space := strings.LastIndexAny(text[:cut], " \t\n"); space > cut/2 {
		cut = space
	}
	return strings.TrimRight(text[:cut], " \t\n,;:") + ellipsis
}

// isIdentifier reports whether a word is an identifier, a number, a path or an option rather
// than English: it has a digit, a sign inside, or a capital after a lower-case letter. Words
// joined by hyphens are English.
func isIdentifier(word string) bool {
	word = strings.TrimRight(word, ",;:.!?)")
	word = strings.TrimLeft(word, "(")
	if strings.HasPrefix(word, "-") && len(word) > 1 {
		return true
	}
	before := rune(0)
	for _, r := range word {
		switch {
		case unicode.IsDigit(r), strings.ContainsRune("_./:=@#$%&*+<>\\|~^[]{}()", r):
			return true
		case unicode.IsUpper(r) && unicode.IsLower(before):
			return true
		}
		before = r
	}
	return false
}
