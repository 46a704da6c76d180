package rank

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"whence/internal/words"
)

// query is the text of a recall.
type query struct {
	known map[string]int // the terms: the number of each different word that is not small, by its stem
	begin beginnings     // how forms of the terms may begin
	grams map[uint64]int // the number of each gram
}

func newQuery(s string, language words.Language) *query {
	if len(s) > maxTextBytes {
		s = strings.ToValidUTF8(s[:maxTextBytes/2], "") + "\n" + strings.ToValidUTF8(s[len(s)-maxTextBytes/2:], "")
	}
	t := &query{known: map[string]int{}, grams: map[uint64]int{}}
	own := words.LanguageOf(s)
	words.EachWord(s, func(word []byte) {
		eachGram(word, func(gram uint64) {
			if _, known := t.grams[gram]; !known && len(t.grams) < maxGrams {
				t.grams[gram] = len(t.grams)
			}
		})
		if own.IsSmall(word) || language.IsSmall(word) || len(t.known) == maxWords {
			return
		}
		stem := language.Stem(string(word))
		if _, known := t.known[stem]; !known {
			t.known[stem] = len(t.known)
			t.begin.addForms(word, stem)
		}
	})
	return t
}

// eachGram calls take, with a number, for each three letters of a word, including a space on both sides, or for
// each character of a word in Han.
func eachGram(word []byte, take func(gram uint64)) {
	if first, _ := utf8.DecodeRune(word); unicode.Is(unicode.Han, first) {
		for _, r := range string(word) {
			take(uint64(r))
		}
		return
	}
	before, last := rune(' '), rune(-1)
	for _, r := range string(word) {
		if last >= 0 {
			take(gramOf(before, last, r))
			before = last
		}
		last = r
	}
	take(gramOf(before, last, ' '))
}

// gramOf returns three letters as a number.
func gramOf(a, b, c rune) uint64 { return uint64(a)<<42 | uint64(b)<<21 | uint64(c) }

// beginnings is a set of hashes of how words begin. It rules out most words before they are stemmed; without it, a
// recall takes several times as long.
type beginnings [1 << 16]bool

// mayBegin reports whether a word may have one of the stems.
func (b *beginnings) mayBegin(word []byte) bool {
	return b[beginning(word, 2)] || b[beginning(word, 3)]
}

// beginning returns a hash of the first letters of a word, with i in place of y ("dying", "die"). If one of these is
// not ASCII, the hash is of the first letter alone, without its accent, since a stem may change the others.
func beginning(word []byte, letters int) (hash int) {
	for _, c := range word[:min(letters, len(word))] {
		if c >= utf8.RuneSelf {
			first, _ := utf8.DecodeRune(word)
			return int(words.WithoutAccent(first)) & 0xffff
		}
		if c == 'y' {
			c = 'i'
		}
		hash = hash<<6 ^ int(c)
	}
	return hash & 0xffff
}

// addForms adds the beginnings of all words that may have a stem. For a short stem it uses two letters, since the third
// one may have been added ("use" for "using").
func (b *beginnings) addForms(word []byte, stem string) {
	letters := 3
	if len(stem) < 4 {
		letters = 2
	}
	b[beginning([]byte(stem), 1)] = true
	b[beginning(word, letters)] = true
	b[beginning([]byte(stem), letters)] = true
}
