package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/turkish"
	"golang.org/x/text/unicode/norm"
)

// stemBy returns what a stemmer of snowball makes of a word in lower case.
func stemBy(stem func(*snowballstem.Env) bool, word string) string {
	env := snowballstem.NewEnv(word)
	stem(env)
	return env.Current()
}

// Stem reduces an English word, in lower case, to what its forms have in common:
// "writing" and "writes" to "write". It is Porter's second stemmer (snowball), except
// that a double letter at the end becomes a single one always, so that "add"
// and "adding" agree. What would leave less than two letters ("aing") stays as it is. An s behind
// consonants alone goes: "https" is "http". Words in other letters are as [Language.Stem] says.
func Stem(word string) string {
	if !isASCII(word) {
		return English.stemByScript(word)
	}
	stem := stemBy(english.Stem, word)
	if len(stem) < 2 {
		return word
	}
	if n := len(stem); n > 3 && stem[n-1] == 's' && !strings.ContainsAny(stem, "aeiouy") {
		stem = stem[:n-1]
	}
	return withoutDouble(stem)
}

// withoutDouble returns a stem with a double letter at its end as a single one.
func withoutDouble(stem string) string {
	if n := len(stem); n > 2 && stem[n-1] == stem[n-2] && stem[n-1] >= 'b' && stem[n-1] != 'e' && stem[n-1] != 'o' {
		return stem[:n-1]
	}
	return stem
}

// Stem returns the form by which words of a text in the language are compared: without accents, and
// without the endings of its forms. Those of two letters and those with digits or underscores stay as they
// are. Words in Cyrillic are stemmed as Russian, in Arabic without article and endings; in Hangul, Han and
// other letters they are compared as they are.
func (l Language) Stem(word string) string {
	if len(word) < 3 || strings.ContainsAny(word, "_0123456789") {
		return word
	}
	if isASCII(word) && (l == English || l == NotLatin) {
		return Stem(word)
	}
	return l.stemByScript(word)
}

// stemByScript stems words in Latin letters as those of the language, and others as the commonest language of their
// script, if it has a stemmer.
func (l Language) stemByScript(word string) string {
	switch first, _ := utf8.DecodeRuneInString(word); {
	case unicode.Is(unicode.Cyrillic, first):
		word = strings.ReplaceAll(word, "ё", "е")
		return orWord(stemBy(russian.Stem, word), word)
	case unicode.Is(unicode.Arabic, first):
		return orWord(stemBy(arabic.Stem, word), word)
	case first >= utf8.RuneSelf && !unicode.In(first, unicode.Latin, unicode.Greek):
		return word
	}
	stem := word
	switch {
	case l == English || l == NotLatin:
		if stem = strings.Map(WithoutAccent, word); isASCII(stem) && len(stem) > 2 {
			return Stem(stem)
		}
	case stemmers[l] != nil:
		stem = stemBy(stemmers[l], word)
	}
	return strings.ReplaceAll(strings.Map(WithoutAccent, orWord(stem, word)), "ß", "ss")
}

// stemmers are those of the languages in Latin letters.
var stemmers = [languages]func(*snowballstem.Env) bool{
	German: german.Stem, French: french.Stem, Spanish: spanish.Stem, Portuguese: portuguese.Stem, Italian: italian.Stem, Dutch: dutch.Stem,
	Swedish: swedish.Stem, Norwegian: norwegian.Stem, Turkish: turkish.Stem, Hungarian: hungarian.Stem,
}

// orWord returns a stem, or the word if the stem is hardly a letter.
func orWord(stem, word string) string {
	if utf8.RuneCountInString(stem) < 2 {
		return word
	}
	return stem
}

// isASCII reports whether all characters of a word are of ASCII.
func isASCII(word string) bool {
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Stemmer reduces the words of a store, and remembers those that it has met.
type Stemmer map[string]string

// Stem returns a word of [Terms] as a store compares it: its stem, without accents.
func (s Stemmer) Stem(word string) string {
	stem, known := s[word]
	if !known {
		stem = English.Stem(word)
		s[word] = stem
	}
	return stem
}

// Stems returns the stems of all words of a text, in their order. Underscores separate words.
func (s Stemmer) Stems(text string) []string {
	stems := []string{}
	for _, word := range wholeWords(text) {
		stems = append(stems, s.Stem(word))
	}
	return stems
}

// Parts returns the stems of the parts of identifiers in a text, without those that are whole
// words of it.
func (s Stemmer) Parts(text string) (stems []string) {
	have := map[string]bool{}
	for _, word := range wholeWords(text) {
		have[word] = true
	}
	for _, word := range Terms(text) {
		if !have[word] && !strings.Contains(word, "_") {
			have[word] = true
			stems = append(stems, s.Stem(word))
		}
	}
	return stems
}

// wholeWords returns the words of a text without the parts of identifiers. Underscores separate words.
func wholeWords(text string) (all []string) {
	eachWord(text, func(word []byte, isPart bool) {
		if !isPart {
			all = append(all, strings.FieldsFunc(string(word), func(r rune) bool { return r == '_' })...)
		}
	})
	return all
}

// WithoutAccent returns a lower-case letter in its usual form: of an accented Latin or Greek letter the
// letter alone, and of an accent nothing.
func WithoutAccent(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return r
	case 0x300 <= r && r <= 0x36f:
		return -1
	case r == 'ı':
		return 'i'
	case r == 'ł':
		return 'l'
	}
	r = unicode.ToLower(unicode.ToUpper(r))                      // several small letters may have one capital
	base := norm.NFD.PropertiesString(string(r)).Decomposition() // unlike Decomposed, it allocates nothing
	if letter, _ := utf8.DecodeRune(base); len(base) > 0 && (letter < utf8.RuneSelf || unicode.Is(unicode.Greek, letter)) {
		return letter
	}
	return r
}

// WholeTerms returns the words of a text that carry evidence in a search of what [Stemmer.Stems] has
// indexed: those of Terms, with whole identifiers instead of their parts. Underscores separate words.
func WholeTerms(text string) []string {
	language := LanguageOf(text)
	return slices.DeleteFunc(wholeWords(text), func(word string) bool {
		return isSmallWord([]byte(word)) || language.isFunctionWord([]byte(word))
	})
}
