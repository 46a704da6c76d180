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

// stemBy returns the stem of a word, in lower case, by a Snowball stemmer.
func stemBy(stem func(*snowballstem.Env) bool, word string) string {
	env := snowballstem.NewEnv(word)
	stem(env)
	return env.Current()
}

// Stem reduces an English word, in lower case, to the stem that its forms share: "writing" and "writes" to
// "write". It uses Porter's second stemmer (Snowball) with three differences: a double letter at the end always
// becomes a single one, so that "add" and "adding" agree; a word that would keep fewer than two letters ("aing")
// is not changed; and an s after consonants alone is removed ("https" becomes "http"). For words in other letters
// see [Language.Stem].
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

// withoutDouble reduces a double letter at the end of a stem, except a, e and o, to a single one.
func withoutDouble(stem string) string {
	if n := len(stem); n > 2 && stem[n-1] == stem[n-2] && stem[n-1] >= 'b' && stem[n-1] != 'e' && stem[n-1] != 'o' {
		return stem[:n-1]
	}
	return stem
}

// Stem returns the form by which words of a text in the language are compared: without accents and inflectional
// endings. It does not change words of one or two letters, or with digits or underscores. Cyrillic words are stemmed as
// Russian ones, Arabic ones lose article and endings, and words in Hangul, Han and other letters are not changed.
func (l Language) Stem(word string) string {
	if len(word) < 3 || strings.ContainsAny(word, "_0123456789") {
		return word
	}
	if isASCII(word) && (l == English || l == NotLatin) {
		return Stem(word)
	}
	return l.stemByScript(word)
}

// stemByScript stems a word in Latin letters by the rules of the language, and any other word by those of the most
// common language of its script, if that has a stemmer.
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

// stemmers holds the stemmers of the languages in Latin letters; nil for a language without one.
var stemmers = [languages]func(*snowballstem.Env) bool{
	German: german.Stem, French: french.Stem, Spanish: spanish.Stem, Portuguese: portuguese.Stem, Italian: italian.Stem, Dutch: dutch.Stem,
	Swedish: swedish.Stem, Norwegian: norwegian.Stem, Turkish: turkish.Stem, Hungarian: hungarian.Stem,
}

// orWord returns a stem, or the word if the stem has fewer than two characters.
func orWord(stem, word string) string {
	if utf8.RuneCountInString(stem) < 2 {
		return word
	}
	return stem
}

// isASCII reports whether all characters of a word are ASCII.
func isASCII(word string) bool {
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Stemmer stems the words of a store, and caches the stems.
type Stemmer map[string]string

// Stem returns the form by which a store compares a word of [Terms]: its stem, without accents.
func (s Stemmer) Stem(word string) string {
	stem, known := s[word]
	if !known {
		stem = English.Stem(word)
		s[word] = stem
	}
	return stem
}

// Stems returns the stems of all words of a text, in order. Underscores separate words.
func (s Stemmer) Stems(text string) []string {
	stems := []string{}
	for _, word := range wholeWords(text) {
		stems = append(stems, s.Stem(word))
	}
	return stems
}

// Parts returns the stems of the parts of identifiers in a text, except parts that are also whole words of it.
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

// WithoutAccent returns an accented Latin or Greek lower-case letter without its accent, and -1, which
// strings.Map drops, for an accent alone. It returns variants of a letter in their usual form, and other
// characters unchanged.
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
	r = unicode.ToLower(unicode.ToUpper(r))                      // several small letters may share a capital
	base := norm.NFD.PropertiesString(string(r)).Decomposition() // unlike Decomposed, it allocates nothing
	if letter, _ := utf8.DecodeRune(base); len(base) > 0 && (letter < utf8.RuneSelf || unicode.Is(unicode.Greek, letter)) {
		return letter
	}
	return r
}

// WholeTerms returns the words of a text that carry evidence in a search of an index made with [Stemmer.Stems]:
// those of Terms, except the parts of identifiers. Underscores separate words.
func WholeTerms(text string) []string {
	language := LanguageOf(text)
	return slices.DeleteFunc(wholeWords(text), func(word string) bool {
		return isSmallWord([]byte(word)) || language.isFunctionWord([]byte(word))
	})
}
